/// A picture whose pixels come from top to bottom, so that it need never be held as a whole.
public struct PictureRows {
    /// The picture as it would be, without its pixels.
    public let frame: Picture
    /// Returns that many more rows, in the form of ``Picture/pixels``; nil when there are no more.
    let read: (_ count: Int) throws -> [UInt8]?

    /// Rows of a picture with this header, which `read` gets; nil if the header is not that of a picture.
    public init?(header: PictureHeader, read: @escaping (_ count: Int) throws -> [UInt8]?) {
        guard
            case .pixels(
                let width,
                let height,
                let fullWidth,
                let fullHeight,
                let turn,
                let format,
                _,
                _,
                _
            ) = header
        else { return nil }
        frame = Picture(
            pixels: [],
            width: width,
            height: height,
            fullWidth: fullWidth,
            fullHeight: fullHeight,
            orientation: turn,
            format: format
        )
        self.read = read
    }

    /// Returns that many more rows; nil when there are no more, or decoding has failed.
    public func rows(_ count: Int) -> [UInt8]? { try? read(count) }
}
