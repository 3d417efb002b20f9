/// A decoded picture, upright and at working size, with the size it really has.
public struct Picture: Sendable {
    /// Red, green and blue, 8 bits each, row after row without gaps.
    public let pixels: [UInt8]
    /// Width of ``pixels``.
    public let width: Int
    /// Height of ``pixels``.
    public let height: Int
    /// Width of the upright picture at full resolution.
    public let fullWidth: Int
    /// Height of the upright picture at full resolution.
    public let fullHeight: Int
    /// How the picture lies in the file, 1 to 8 (EXIF 2.32, tag 0x0112).
    ///
    /// 1 also where the format turns pictures by itself.
    public let orientation: Int
    /// What kind of file it came from.
    public let format: PictureFormat

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

    /// Puts together what another process has decoded.
    ///
    /// - Throws: ``UnreadablePicture`` with that process's reason, as one line without control characters.
    /// - Returns: nil where the body isn't the header's.
    public init?(header: PictureHeader, body: [UInt8]) throws(UnreadablePicture) {
        guard body.count == header.bodyLength else { return nil }
        switch header {
        case .pixels(let width, let height, let fullWidth, let fullHeight, let orientation, let format):
            self.init(
                pixels: body,
                width: width,
                height: height,
                fullWidth: fullWidth,
                fullHeight: fullHeight,
                orientation: orientation,
                format: format
            )
        case .reason: throw UnreadablePicture(foreign: body)
        }
    }

    /// What another process is told of this picture ahead of its pixels.
    public var header: PictureHeader {
        .pixels(
            width: width,
            height: height,
            fullWidth: fullWidth,
            fullHeight: fullHeight,
            orientation: orientation,
            format: format
        )
    }

    /// A part of the picture, as a picture of its own; nil where that isn't inside.
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
