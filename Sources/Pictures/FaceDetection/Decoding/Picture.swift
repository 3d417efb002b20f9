import Vocabulary

/// A decoded picture, upright and at working size, with its full size.
public struct Picture: Sendable {
    /// The pixels: red, green and blue with 8 bits each, row by row without gaps.
    public let pixels: [UInt8]
    /// The width of ``pixels``.
    public let width: Int
    /// The height of ``pixels``.
    public let height: Int
    /// The width of the upright picture at full resolution, in pixels.
    public let fullWidth: Int
    /// The height of the upright picture at full resolution, in pixels.
    public let fullHeight: Int
    /// The orientation of the picture in its file, 1 to 8 (EXIF 2.32, tag 0x0112).
    ///
    /// For HEIC and AVIF it stands for the format's own properties, which turn pictures.
    public let orientation: Int
    /// The format of the file.
    public let format: PictureFormat
    /// True if a colour profile in the file says that its values mean something other than sRGB.
    public internal(set) var hasProfile = false
    /// True if the file has colours at half its resolution only, as most JPEGs do (4:2:0).
    public internal(set) var isSubsampled = false
    /// True if much of the file's data is damaged, so that a part of the pixels may not be what they were.
    public internal(set) var isDamaged = false

    init(
        pixels: [UInt8],
        width: Int,
        height: Int,
        fullWidth: Int,
        fullHeight: Int,
        orientation: Int,
        format: PictureFormat
    ) {
        self.pixels = pixels
        self.width = width
        self.height = height
        self.fullWidth = fullWidth
        self.fullHeight = fullHeight
        self.orientation = orientation
        self.format = format
    }

    /// Creates a picture that differs from another in its pixels alone.
    init(pixels: [UInt8], of picture: Picture) {
        self.init(
            pixels: pixels,
            width: picture.width,
            height: picture.height,
            fullWidth: picture.fullWidth,
            fullHeight: picture.fullHeight,
            orientation: picture.orientation,
            format: picture.format
        )
        hasProfile = picture.hasProfile
        isSubsampled = picture.isSubsampled
        isDamaged = picture.isDamaged
    }

    /// Creates a picture from what another process has decoded.
    ///
    /// - Throws: ``UnreadablePicture`` with that process's reason, as one line without control characters.
    /// - Returns: nil if the body doesn't match the header.
    public init?(header: PictureHeader, body: [UInt8]) throws(UnreadablePicture) {
        guard body.count == header.bodyLength else { return nil }
        switch header {
        case .pixels(
            let width,
            let height,
            let fullWidth,
            let fullHeight,
            let orientation,
            let format,
            let own,
            let coarse,
            let damaged
        ):
            self.init(
                pixels: body,
                width: width,
                height: height,
                fullWidth: fullWidth,
                fullHeight: fullHeight,
                orientation: orientation,
                format: format
            )
            hasProfile = own
            isSubsampled = coarse
            isDamaged = damaged
        case .reason: throw UnreadablePicture(foreign: body)
        }
    }

    /// The header sent to another process ahead of the pixels.
    public var header: PictureHeader {
        .pixels(
            width: width,
            height: height,
            fullWidth: fullWidth,
            fullHeight: fullHeight,
            orientation: orientation,
            format: format,
            hasProfile: hasProfile,
            isSubsampled: isSubsampled,
            isDamaged: isDamaged
        )
    }

    /// A part of the picture, as a picture of its own; nil if that isn't inside.
    func part(x: Int, y: Int, width: Int, height: Int) -> Picture? {
        guard x >= 0, y >= 0, width > 0, height > 0, x + width <= self.width, y + height <= self.height
        else { return nil }
        var part: [UInt8] = []
        part.reserveCapacity(width * height * 3)
        for row in y..<y + height {
            let start = (row * self.width + x) * 3
            part += pixels[start..<start + width * 3]
        }
        return Picture(
            pixels: part,
            width: width,
            height: height,
            fullWidth: width,
            fullHeight: height,
            orientation: orientation,
            format: format
        )
    }

    /// A small grey picture, to try an engine with.
    public static let blank = Picture(
        pixels: [UInt8](repeating: 128, count: 64 * 64 * 3),
        width: 64,
        height: 64,
        fullWidth: 64,
        fullHeight: 64,
        orientation: 1,
        format: .png
    )
}

extension Picture {
    /// The picture with its longer side at most `side` pixels, each about the mean of those in its place.
    func shrunk(to side: Int, by shrinking: ShimCall.Shrinking = .looks) throws(UnreadablePicture) -> Picture
    {
        guard max(width, height) > side else { return self }
        let factor = Double(side) / Double(max(width, height))
        let small = (
            width: max(1, Int((Double(width) * factor).rounded())),
            height: max(1, Int((Double(height) * factor).rounded()))
        )
        return Picture(
            pixels: try ShimCall.shrink(self, width: small.width, height: small.height, by: shrinking),
            width: small.width,
            height: small.height,
            fullWidth: fullWidth,
            fullHeight: fullHeight,
            orientation: orientation,
            format: format
        )
    }
}
