import CFaceDetect

/// A face, in pixels of the picture as decoded.
public struct EngineBox: Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var confidence: Double

    init(_ box: CFaceDetectBox) {
        x = box.x
        y = box.y
        width = box.width
        height = box.height
        confidence = box.confidence
    }

    /// The box at full resolution, cut off at the picture's edges; nil where nothing of it is inside.
    func enlarged(to picture: Picture) -> FoundFace? {
        let across = Double(picture.fullWidth) / Double(picture.width)
        let down = Double(picture.fullHeight) / Double(picture.height)
        let left = max(0, Self.whole(x * across))
        let top = max(0, Self.whole(y * down))
        let right = min(picture.fullWidth, Self.whole((x + width) * across))
        let bottom = min(picture.fullHeight, Self.whole((y + height) * down))
        guard right > left, bottom > top else { return nil }
        return FoundFace(
            x: left,
            y: top,
            width: right - left,
            height: bottom - top,
            confidence: confidence
        )
    }

    /// A network may put a box anywhere, also beyond what an integer can say.
    private static func whole(_ value: Double) -> Int {
        value.isNaN ? 0 : Int(min(max(value.rounded(), -1e12), 1e12))
    }
}
