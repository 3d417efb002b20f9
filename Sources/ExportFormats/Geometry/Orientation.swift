/// How a picture lies in its file: the eight values of EXIF's Orientation (Exif 2.32 §4.6.4, tag 0x0112).
///
/// Each says where the first row and the first column of the file are in the upright picture.
enum Orientation: Int, CaseIterable {
    /// Row on top, column on the left: it lies upright.
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

    /// The value of a file that may have none, or one that isn't there; those count as upright.
    init(exif value: Int?) { self = value.flatMap(Orientation.init(rawValue:)) ?? .upright }

    /// Whether width and height change places.
    var swapsSides: Bool { rawValue >= 5 }

    /// The size in the file of a picture that is so large upright.
    func stored(_ size: Size) -> Size {
        swapsSides ? Size(width: size.height, height: size.width) : size
    }

    /// Where a box of the upright picture, which has this size, lies in the file.
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

    /// Where a point of the upright picture, which has this size, lies in the file.
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
