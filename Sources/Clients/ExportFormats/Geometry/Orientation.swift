/// The orientation of a picture in its file: one of eight values (Exif 2.32 §4.6.4, tag 0x0112).
///
/// Each value says on which sides of the upright picture the file's first row and first column are.
enum Orientation: Int, CaseIterable {
    /// Row on top, column on the left: the picture is stored upright.
    case upright = 1
    /// Row on top, column on the right.
    case mirrored
    /// Row at the bottom, column on the right.
    case upsideDown
    /// Row at the bottom, column on the left.
    case mirroredUpsideDown
    /// Row on the left, column on top.
    case transposed
    /// Row on the right, column on top: to be turned clockwise.
    case clockwise
    /// Row on the right, column at the bottom.
    case transversed
    /// Row on the left, column at the bottom: to be turned counterclockwise.
    case counterclockwise

    /// Creates an orientation from a file's value; anything that isn't one counts as upright.
    init(exif value: Int?) { self = value.flatMap(Orientation.init(rawValue:)) ?? .upright }

    /// True if width and height are exchanged.
    var swapsSides: Bool { rawValue >= 5 }

    /// Returns the size, as stored, of a picture that has this size when upright.
    func stored(_ size: Size) -> Size {
        swapsSides ? Size(width: size.height, height: size.width) : size
    }

    /// Returns the stored place of a box in an upright picture of this size.
    func stored(_ box: Box, in size: Size) -> Box {
        let right = size.width - box.x - box.width
        let below = size.height - box.y - box.height
        let (x, y) =
            switch self {
            case .upright: (box.x, box.y)
            case .mirrored: (right, box.y)
            case .upsideDown: (right, below)
            case .mirroredUpsideDown: (box.x, below)
            case .transposed: (box.y, box.x)
            case .clockwise: (box.y, right)
            case .transversed: (below, right)
            case .counterclockwise: (below, box.x)
            }
        return swapsSides
            ? Box(x: x, y: y, width: box.height, height: box.width)
            : Box(x: x, y: y, width: box.width, height: box.height)
    }

    /// Returns the stored place of a point in an upright picture of this size.
    func stored(x: Double, y: Double, in size: Size) -> (x: Double, y: Double) {
        let right = Double(size.width) - x
        let below = Double(size.height) - y
        return switch self {
        case .upright: (x, y)
        case .mirrored: (right, y)
        case .upsideDown: (right, below)
        case .mirroredUpsideDown: (x, below)
        case .transposed: (y, x)
        case .clockwise: (y, right)
        case .transversed: (below, right)
        case .counterclockwise: (below, x)
        }
    }
}
