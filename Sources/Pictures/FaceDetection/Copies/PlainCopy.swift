import CPictures
import Vocabulary

/// A copy of a picture, or of a part of it, as a file that holds its pixels and nothing else.
///
/// It is encoded here, from pixels, so that nothing of the original file is in it: no EXIF data with its
/// thumbnail, no position, no profile, no comment. It is upright, in sRGB with 8 bits, and opaque.
public struct PlainCopy: Sendable {
    /// The formats that copies have.
    public enum Format: String, CaseIterable, Sendable {
        /// For pictures that were compressed with losses.
        case jpeg = "jpg"
        /// For those that weren't.
        case png

        /// The format for copies of a picture.
        public init(of format: PictureFormat) {
            switch format {
            case .jpeg, .webp, .heif, .raw, .jxl, .jp2: self = .jpeg
            case .png, .gif, .tiff, .bmp: self = .png
            }
        }
    }

    /// The most pixels that a copy has; larger pictures are shrunk.
    ///
    /// A process holds each of them several times, with 3 bytes.
    public static let mostPixels = 100_000_000
    /// The longest side of a copy: JPEG's longest (ITU-T T.81, B.2.2) as libjpeg has it.
    public static let longestSide = 65_500
    /// The quality of JPEGs, at which colours keep their full resolution, where the picture has that.
    static let quality = 92

    /// The file's contents.
    public let bytes: [UInt8]
    /// The file's format.
    public let format: Format

    /// Encodes a picture; throws if libvips can't.
    public init(_ picture: Picture) throws(UnreadablePicture) {
        format = Format(of: picture.format)
        switch format {
        case .jpeg:
            // What the file didn't have would make the copy larger, and no better.
            let isSubsampled = picture.isSubsampled && picture.width == picture.fullWidth
            let quality = Self.quality
            bytes = try PlainJPEG(picture, quality: quality, isSubsampled: isSubsampled, limit: .max).bytes
        case .png:
            let image = try VipsImageBox.holding(picture)
            var memory: UnsafeMutableRawPointer?
            var size = 0
            guard CVips_plain_png(image.image, &memory, &size) == 0, let memory else {
                throw VipsLibrary.takeError()
            }
            defer { g_free(memory) }
            bytes = Array(UnsafeRawBufferPointer(start: memory, count: size))
        }
    }

    /// The longer side, in pixels, to which a picture of this size is decoded for its copy: all of it,
    /// unless it has more than ``mostPixels``.
    public static func side(width: Int, height: Int) -> Int {
        let (longer, pixels) = (max(width, height), Double(width) * Double(height))
        let shrunk =
            pixels > Double(mostPixels)
            ? Int(Double(longer) * (Double(mostPixels) / pixels).squareRoot()) : longer
        return max(1, min(shrunk, longestSide))
    }
}
