/// A face, as a box in pixels of the upright picture at full resolution.
public struct Face: Hashable, Sendable, Codable {
    /// The distance from the left edge in pixels.
    public var x: Int
    /// The distance from the top edge in pixels.
    public var y: Int
    /// The width of the box in pixels.
    public var width: Int
    /// The height of the box in pixels.
    public var height: Int
    /// The engine's confidence, whose scale depends on the engine.
    public var confidence: Double
    /// Places in the face; nil where the engine doesn't tell.
    public var landmarks: FaceLandmarks?

    /// A box and how sure the engine is of it.
    public init(
        x: Int,
        y: Int,
        width: Int,
        height: Int,
        confidence: Double,
        landmarks: FaceLandmarks? = nil
    ) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.confidence = confidence
        self.landmarks = landmarks
    }
}
