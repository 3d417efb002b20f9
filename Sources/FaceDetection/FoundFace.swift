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
    /// Pixels from the top edge to the box.
    public var y: Int
    /// Width of the box in pixels.
    public var width: Int
    /// Height of the box in pixels.
    public var height: Int
    /// How sure the engine is; see ``HaarEngine`` and ``YuNetEngine`` for what it means.
    public var confidence: Double
    /// The right eye, the left eye, the nose, and the right and left corner of the mouth, as the person
    /// has them; nil where the engine doesn't tell.
    public var landmarks: [Point]?
}
