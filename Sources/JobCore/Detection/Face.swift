/// A face, as a box in pixels of the upright picture at full resolution.
public struct Face: Hashable, Sendable, Codable {
    /// Pixels from the left edge to the box.
    public var x: Int
    /// Pixels from the top edge to the box.
    public var y: Int
    /// Width of the box in pixels.
    public var width: Int
    /// Height of the box in pixels.
    public var height: Int
    /// How sure the engine is; its meaning belongs to the engine.
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
