/// A face, as a box in pixels of the upright picture at full resolution.
public struct Face: Codable, Hashable, Sendable {
    /// A place in that picture.
    public struct Point: Codable, Hashable, Sendable {
        /// The names of the members in JSON.
        public enum CodingKeys: String, CodingKey, CaseIterable {
            case x, y
        }

        /// The distance from the left edge in pixels.
        public var x: Int
        /// The distance from the top edge in pixels.
        public var y: Int

        public init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
    }

    /// The names of the members in JSON.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case x, y, width, height, confidence, landmarks
    }

    /// The number of landmarks of a face that has any.
    public static let landmarkCount = 5

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
    /// The right eye, the left eye, the nose, and the right and left corner of the mouth, as the person has
    /// them; nil where the engine doesn't tell.
    ///
    /// Whoever reads a face from outside checks that there are ``landmarkCount`` of them.
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

    /// Every key is always there, also without landmarks.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(x, forKey: .x)
        try values.encode(y, forKey: .y)
        try values.encode(width, forKey: .width)
        try values.encode(height, forKey: .height)
        try values.encode(confidence, forKey: .confidence)
        try values.encode(landmarks, forKey: .landmarks)
    }
}
