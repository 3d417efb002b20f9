/// A detector's answer for a document.
public struct DetectorResponse: Codable, Hashable, Sendable {
    /// The outcome of looking.
    ///
    /// Crashes and time-outs are for the asker to see, not for the detector to tell.
    public enum Outcome: String, Codable, Sendable {
        /// The picture was read and its faces counted.
        case counted
        /// The document is no picture that can be read.
        case unreadable
    }

    /// A place in the upright picture at full resolution.
    public struct Point: Codable, Hashable, Sendable {
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

    /// A face, as a box in pixels of the upright picture at full resolution.
    public struct Face: Codable, Hashable, Sendable {
        /// Pixels from the left edge.
        public var x: Int
        /// Pixels from the top edge.
        public var y: Int
        /// Width in pixels.
        public var width: Int
        /// Height in pixels.
        public var height: Int
        /// How sure the engine is; its meaning belongs to the engine.
        public var confidence: Double
        /// The right eye, the left eye, the nose, and the right and left corner of the mouth, as the
        /// person has them; nil where the engine doesn't tell.
        public var landmarks: [Point]?

        /// A box and how sure the engine is of it.
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

        /// Every key is always there, as in the API.
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

    /// The most faces that an answer may have; what finds more tells of the surest.
    public static let maximumFaceCount = 4096

    /// The request's id.
    public var id: Int64
    /// What came of looking.
    public var outcome: Outcome
    /// The faces, when counted; the surest first.
    public var faces: [Face]
    /// Width of the upright picture in pixels; 0 when it wasn't read.
    public var width: Int
    /// Height of the upright picture in pixels; 0 when it wasn't read.
    public var height: Int
    /// How the picture lies in its file, 1 to 8 (EXIF 2.32, tag 0x0112); nil when it wasn't read.
    public var orientation: Int?
    /// The format of the file: `jpeg`, `png`, `webp`, `gif`, `tiff` or `heif`; nil when it wasn't read.
    public var format: String?
    /// The longer sides of what was looked at, in pixels, in the order of the looks; nil when it wasn't read.
    public var looks: [Int]?
    /// The engine that looked.
    public var engine: String
    /// The engine's parameters.
    public var parameters: String
    /// Seconds spent, decoding included, by the detector's clock; who asks has one of its own.
    public var seconds: Double
    /// Why the picture is unreadable.
    public var message: String?

    /// An answer.
    public init(
        id: Int64,
        outcome: Outcome,
        faces: [Face] = [],
        width: Int = 0,
        height: Int = 0,
        orientation: Int? = nil,
        format: String? = nil,
        looks: [Int]? = nil,
        engine: String,
        parameters: String,
        seconds: Double,
        message: String? = nil
    ) {
        self.id = id
        self.outcome = outcome
        self.faces = faces
        self.width = width
        self.height = height
        self.orientation = orientation
        self.format = format
        self.looks = looks
        self.engine = engine
        self.parameters = parameters
        self.seconds = seconds
        self.message = message
    }
}
