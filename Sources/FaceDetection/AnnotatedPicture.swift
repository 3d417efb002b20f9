import CVips
import Glibc

/// A copy of a picture with boxes around its faces.
public struct AnnotatedPicture {
    /// The longest side in pixels; larger pictures are shrunk.
    public static let longestSide = 4096

    private let jpeg: [UInt8]

    /// Draws boxes into a picture, which was decoded to at most ``longestSide``, and encodes the copy;
    /// throws if it can't.
    ///
    /// The decoder of the picture has no influence on the file written, which is encoded from pixels.
    public init(_ picture: Picture, faces: [FoundFace]) throws(UnreadablePicture) {
        var pixels = picture.pixels
        let shrink = Double(picture.width) / Double(picture.fullWidth)
        for face in faces {
            Self.draw(
                x: Int(Double(face.x) * shrink),
                y: Int(Double(face.y) * shrink),
                width: Int(Double(face.width) * shrink),
                height: Int(Double(face.height) * shrink),
                on: &pixels,
                picture
            )
        }
        jpeg = try Self.encode(pixels, picture)
    }

    /// Writes the copy under the picture's name with `-faces.jpg` in place of its extension, never over
    /// another file.
    public func write(toFolder folder: String, named name: String) throws(UnreadablePicture) {
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        for number in 1...1000 {
            let path = "\(folder)/\(stem)-faces\(number == 1 ? "" : " (\(number))").jpg"
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor < 0, errno == EEXIST { continue }
            guard descriptor >= 0 else {
                throw UnreadablePicture("\(path) can't be written: \(String(cString: strerror(errno)))")
            }
            let written = jpeg.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard close(descriptor) == 0, written == jpeg.count else {
                throw UnreadablePicture("\(path) can't be written whole: \(String(cString: strerror(errno)))")
            }
            return
        }
        throw UnreadablePicture("\(folder) has a thousand copies of \(name) already")
    }

    /// Draws a green frame inside the box, thick enough to be seen in a large picture.
    private static func draw(
        x: Int,
        y: Int,
        width: Int,
        height: Int,
        on pixels: inout [UInt8],
        _ picture: Picture
    ) {
        let line = max(2, max(picture.width, picture.height) / 400)
        let (right, bottom) = (min(picture.width, x + width), min(picture.height, y + height))
        for row in max(0, y)..<max(max(0, y), bottom) {
            let isEdgeRow = row < y + line || row >= bottom - line
            for column in max(0, x)..<max(max(0, x), right) {
                guard isEdgeRow || column < x + line || column >= right - line else { continue }
                let offset = (row * picture.width + column) * 3
                pixels[offset] = 0
                pixels[offset + 1] = 230
                pixels[offset + 2] = 64
            }
        }
    }

    private static func encode(_ pixels: [UInt8], _ picture: Picture) throws(UnreadablePicture) -> [UInt8] {
        let copy = pixels.withUnsafeBytes { bytes in
            vips_image_new_from_memory_copy(
                bytes.baseAddress,
                bytes.count,
                Int32(picture.width),
                Int32(picture.height),
                3,
                VIPS_FORMAT_UCHAR
            )
        }
        let plain = try VipsImageBox(taking: copy)
        let image = try plain.applying { CVips_reinterpret($0, $1, VIPS_INTERPRETATION_sRGB) }
        var bytes: UnsafeMutableRawPointer?
        var size = 0
        guard CVips_jpeg(image.image, &bytes, &size, 90, 0) == 0, let bytes else {
            throw VipsLibrary.takeError()
        }
        defer { g_free(bytes) }
        return Array(UnsafeRawBufferPointer(start: bytes, count: size))
    }
}
