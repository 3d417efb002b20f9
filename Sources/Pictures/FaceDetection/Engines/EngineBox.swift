import CPictures
import Vocabulary

/// A face, in pixels of the picture as decoded.
public struct EngineBox: Hashable, Sendable {
    /// A place in that picture.
    struct Point: Hashable, Sendable {
        var x: Double
        var y: Double
    }

    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var confidence: Double
    /// Five places of the face, as ``Face/landmarks`` has them.
    var landmarks: [Point]?
    /// The number of windows of a cascade that agree on it; 0 if the engine has none.
    var windows = 0
    /// The mean of the last stage's sums of these windows; 0 if the engine has none.
    var mean = 0.0

    init(
        x: Double,
        y: Double,
        width: Double,
        height: Double,
        confidence: Double,
        landmarks: [Point]? = nil
    ) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.confidence = confidence
        self.landmarks = landmarks
    }

    init(_ box: CFaceDetectBox) {
        self.init(x: box.x, y: box.y, width: box.width, height: box.height, confidence: box.confidence)
        (windows, mean) = (Int(box.windows), box.mean)
        guard box.has_landmarks != 0 else { return }
        landmarks = withUnsafeBytes(of: box.landmarks) { bytes in
            bytes.bindMemory(to: CFaceDetectPoint.self).map { Point(x: $0.x, y: $0.y) }
        }
    }

    /// The box in a picture of which the one that was looked at is a part that begins there.
    func moved(x: Int, y: Int) -> EngineBox {
        var box = self
        (box.x, box.y) = (self.x + Double(x), self.y + Double(y))
        box.landmarks = landmarks?.map { Point(x: $0.x + Double(x), y: $0.y + Double(y)) }
        return box
    }

    /// Returns the box at full resolution, cut at the picture's edges; nil if it is entirely outside.
    func enlarged(to picture: Picture) -> Face? {
        let across = Double(picture.fullWidth) / Double(picture.width)
        let down = Double(picture.fullHeight) / Double(picture.height)
        let left = max(0, Self.whole(x * across))
        let top = max(0, Self.whole(y * down))
        let right = min(picture.fullWidth, Self.whole((x + width) * across))
        let bottom = min(picture.fullHeight, Self.whole((y + height) * down))
        guard right > left, bottom > top else { return nil }
        return Face(
            x: left,
            y: top,
            width: right - left,
            height: bottom - top,
            confidence: confidence,
            // What lies outside of the picture, as with a face that its edge cuts, is said to be on the edge.
            landmarks: landmarks?.map { point in
                Face.Point(
                    x: min(max(0, Self.whole(point.x * across)), picture.fullWidth),
                    y: min(max(0, Self.whole(point.y * down)), picture.fullHeight)
                )
            }
        )
    }

    /// Rounds a coordinate, clamping it, because a network may put a box anywhere.
    private static func whole(_ value: Double) -> Int {
        value.isNaN ? 0 : Int(min(max(value.rounded(), -1e12), 1e12))
    }
}
