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

    /// A small grey picture, to try an engine with.
    public static let blank = Picture(
        pixels: [UInt8](repeating: 128, count: 64 * 64 * 3),
        width: 64,
        height: 64,
        fullWidth: 64,
        fullHeight: 64
    )
}
