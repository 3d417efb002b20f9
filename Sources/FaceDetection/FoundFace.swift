/// A face, as a box in pixels of the upright picture at full resolution.
public struct FoundFace: Hashable, Sendable {
    /// A place in that picture.
    public struct Point: Hashable, Sendable {
        /// Pixels from the left edge.
        public var x: Int
        /// Pixels from the top edge.
        public var y: Int
    }

    /// Pixels from the left edge to the box.
    public var x: Int
    /// The distance from the top edge in pixels.
    public var y: Int
    /// The width of the box in pixels.
    public var width: Int
    /// The height of the box in pixels.
    public var height: Int
    /// The engine's confidence, whose scale is described in ``HaarEngine`` and ``YuNetEngine``.
    public var confidence: Double
    /// The right eye, the left eye, the nose, and the right and left corner of the mouth, as the person
    /// has them; nil where the engine doesn't tell.
    public var landmarks: [Point]?
}
