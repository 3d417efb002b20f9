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
        let left = max(0, Int((x * across).rounded()))
        let top = max(0, Int((y * down).rounded()))
        let right = min(picture.fullWidth, Int(((x + width) * across).rounded()))
        let bottom = min(picture.fullHeight, Int(((y + height) * down).rounded()))
        guard right > left, bottom > top else { return nil }
        return FoundFace(
            x: left,
            y: top,
            width: right - left,
            height: bottom - top,
            confidence: confidence
        )
    }
}
