import ControlAPI
import PaintedPictures
import Vocabulary

/// Returns the overlap of two boxes: intersection over union.
func overlap(_ found: Face, _ painted: PaintedFace) -> Double {
    let width = min(found.x + found.width, painted.x + painted.side) - max(found.x, painted.x)
    let height = min(found.y + found.height, painted.y + painted.side) - max(found.y, painted.y)
    let shared = Double(max(0, width) * max(0, height))
    let both = Double(found.width * found.height + painted.side * painted.side)
    return shared / (both - shared)
}
