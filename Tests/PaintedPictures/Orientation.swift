/// The way a picture is stored, by EXIF 2.32, tag 0x0112.
public enum Orientation: Int, CaseIterable, Sendable {
    case upright = 1
    case mirrored, upsideDown, flipped, transposed, needsClockwise, transverse, needsCounterclockwise

    /// True if the stored picture is as wide as the upright one is high.
    public var isLying: Bool { rawValue >= 5 }

    /// The pixel of the upright picture that a stored pixel shows.
    public func upright(x: Int, y: Int, storedWidth: Int, storedHeight: Int) -> (x: Int, y: Int) {
        switch self {
        case .upright: (x, y)
        case .mirrored: (storedWidth - 1 - x, y)
        case .upsideDown: (storedWidth - 1 - x, storedHeight - 1 - y)
        case .flipped: (x, storedHeight - 1 - y)
        case .transposed: (y, x)
        case .needsClockwise: (storedHeight - 1 - y, x)
        case .transverse: (storedHeight - 1 - y, storedWidth - 1 - x)
        case .needsCounterclockwise: (y, storedWidth - 1 - x)
        }
    }
}
