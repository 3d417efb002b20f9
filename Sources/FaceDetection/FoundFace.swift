/// A face, as a box in pixels of the upright picture at full resolution.
public struct FoundFace: Hashable, Sendable {
    /// A place in that picture.
    public struct Point: Hashable, Sendable {
        /// Pixels from the left edge.
        public var x: Int
        /// Pixels from the top edge.
        public var y: Int

        public init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
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
    /// has them; nil if the engine doesn't tell.
    public var landmarks: [Point]?

    public init(
        x: Int,
        y: Int,
        width: Int,
        height: Int,
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

    /// The face in a picture of this size, which somebody else has looked at; nil if it is outside of it.
    public func inside(width fullWidth: Int, height fullHeight: Int) -> FoundFace? {
        guard (0..<fullWidth).contains(x), (0..<fullHeight).contains(y), width > 0, height > 0 else {
            return nil
        }
        var face = self
        face.width = min(width, fullWidth - x)
        face.height = min(height, fullHeight - y)
        face.landmarks = landmarks?.map { point in
            Point(x: min(max(0, point.x), fullWidth), y: min(max(0, point.y), fullHeight))
        }
        return face
    }
}
