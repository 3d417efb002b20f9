/// Five places in a face, in pixels of the upright picture at full resolution.
public struct FaceLandmarks: Hashable, Sendable, Codable {
    /// A place in the picture.
    public struct Point: Hashable, Sendable, Codable {
        /// Pixels from the left edge.
        public var x: Int
        /// Pixels from the top edge.
        public var y: Int

        /// A place.
        public init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
    }

    /// The number of places.
    public static let count = 5

    /// The right eye, the left eye, the nose, and the right and left corner of the mouth, as the person
    /// has them.
    public let points: [Point]

    /// Five places, in that order; nil for any other number.
    public init?(_ points: [Point]) {
        guard points.count == Self.count else { return nil }
        self.points = points
    }
}
