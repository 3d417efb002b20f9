/// A picture that the project paints itself, with faces at known places.
///
/// The same arguments always give the same pixels. Encoders are in extensions.
public struct PaintedPicture: Sendable {
    /// Width of the upright picture.
    public let width: Int
    /// Height of the upright picture.
    public let height: Int
    /// The faces, where they are in the upright picture.
    public let faces: [PaintedFace]
    /// Red, green and blue of the upright picture, 8 bits each, row after row.
    public let pixels: [UInt8]

    /// Paints faces on a wall whose grain depends on the seed.
    public init(width: Int, height: Int, faces: [PaintedFace] = [], seed: UInt64 = 1) {
        self.width = width
        self.height = height
        self.faces = faces
        var canvas = Canvas(width: width, height: height, seed: seed)
        for face in faces { canvas.paint(face) }
        pixels = canvas.pixels
    }

    /// Paints this many faces side by side, each in a square of 120 pixels.
    public init(faces count: Int, seed: UInt64 = 1) {
        let faces = (0..<count).map { PaintedFace(x: 90 + $0 * 240, y: 110, side: 120) }
        self.init(width: max(1, count) * 240 + 60, height: 360, faces: faces, seed: seed)
    }

    private init(stored pixels: [UInt8], width: Int, height: Int) {
        (self.pixels, self.width, self.height, faces) = (pixels, width, height, [])
    }

    /// The picture as it is stored under an orientation, for encoders that don't know of any.
    public func lying(_ orientation: Orientation) -> PaintedPicture {
        let (pixels, width, height) = stored(orientation)
        return PaintedPicture(stored: pixels, width: width, height: height)
    }

    /// The pixels as they are stored under an orientation, and the stored size.
    func stored(_ orientation: Orientation) -> (pixels: [UInt8], width: Int, height: Int) {
        guard orientation != .upright else { return (pixels, width, height) }
        let (storedWidth, storedHeight) = orientation.isLying ? (height, width) : (width, height)
        let turned = [UInt8](unsafeUninitializedCapacity: pixels.count) { buffer, count in
            for y in 0..<storedHeight {
                for x in 0..<storedWidth {
                    let from = orientation.upright(
                        x: x,
                        y: y,
                        storedWidth: storedWidth,
                        storedHeight: storedHeight
                    )
                    for band in 0..<3 {
                        buffer[(y * storedWidth + x) * 3 + band] =
                            pixels[(from.y * width + from.x) * 3 + band]
                    }
                }
            }
            count = pixels.count
        }
        return (turned, storedWidth, storedHeight)
    }
}
