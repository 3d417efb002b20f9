import Vocabulary

/// A copy of a picture with boxes around its faces.
public struct AnnotatedPicture {
    /// The longest side in pixels; larger pictures are shrunk.
    public static let longestSide = 4096

    /// The file's contents.
    public let jpeg: [UInt8]

    /// Draws boxes into a picture, which was decoded to at most ``longestSide``, and encodes the copy;
    /// throws if it can't.
    ///
    /// The decoder of the picture has no influence on the file written, which is encoded from pixels.
    public init(_ picture: Picture, faces: [Face]) throws(UnreadablePicture) {
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
        jpeg = try PlainJPEG(Picture(pixels: pixels, of: picture), quality: 90, limit: .max).bytes
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
}
