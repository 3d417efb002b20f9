/// What came of looking for faces in a document.
public struct DetectionJSON: APIObject {
    /// What came of it.
    public var outcome: APIWord<Outcome>
    /// How many faces, where they were counted.
    public var faceCount: Int?
    /// The faces, in pixels of the upright picture.
    public var faces: [FaceJSON]
    /// Width of the upright picture in pixels, where it was read.
    public var width: Int?
    /// Height of the upright picture in pixels, where it was read.
    public var height: Int?
    /// The picture's orientation in its file, by EXIF, where it was read.
    public var orientation: Int?
    /// The format of the file, where it was read.
    public var format: String?
    /// The engine that looked.
    public var engine: APIWord<Engine>
    /// The engine's parameters.
    public var parameters: String
    /// The job whose result this is, where the same bytes had been looked at before.
    public var sharedFrom: Int64?
    /// Seconds spent looking.
    public var seconds: Double

    enum CodingKeys: String, CodingKey {
        case outcome
        case faceCount = "face_count"
        case faces, width, height, orientation, format, engine, parameters
        case sharedFrom = "shared_from"
        case seconds
    }

    /// A result.
    public init(
        outcome: APIWord<Outcome>,
        faceCount: Int?,
        faces: [FaceJSON],
        width: Int?,
        height: Int?,
        orientation: Int?,
        format: String?,
        engine: APIWord<Engine>,
        parameters: String,
        sharedFrom: Int64?,
        seconds: Double
    ) {
        self.outcome = outcome
        self.faceCount = faceCount
        self.faces = faces
        self.width = width
        self.height = height
        self.orientation = orientation
        self.format = format
        self.engine = engine
        self.parameters = parameters
        self.sharedFrom = sharedFrom
        self.seconds = seconds
    }

    /// Every key is always there; what isn't known is null.
    public static let shape = Shape<DetectionJSON>(
        "Detection",
        [
            Member(
                CodingKeys.outcome,
                \.outcome,
                about: "crashed: a detector ended twice without an answer, or gave impossible ones."
            ),
            Member(CodingKeys.faceCount, \.faceCount, .integer(from: 0).orNull),
            Member(CodingKeys.faces, \.faces),
            Member(
                CodingKeys.width,
                \.width,
                .integer(from: 1).orNull,
                about: "Of the picture as people see it, at full resolution."
            ),
            Member(CodingKeys.height, \.height, .integer(from: 1).orNull),
            Member(
                CodingKeys.orientation,
                \.orientation,
                .integer(from: 1, to: 8).orNull,
                about: "How the picture lies in its file: the value of EXIF."
            ),
            Member(
                CodingKeys.format,
                \.format,
                .string().orNull,
                about: "jpeg, png, webp, gif, tiff or heif."
            ),
            Member(CodingKeys.engine, \.engine, .string()),
            Member(CodingKeys.parameters, \.parameters),
            Member(CodingKeys.sharedFrom, \.sharedFrom, .id.orNull),
            Member(CodingKeys.seconds, \.seconds, .number(from: 0), about: "By the daemon's clock."),
        ]
    )
}

/// A face, as a box in pixels of the upright picture at full resolution.
public struct FaceJSON: APIObject {
    /// Pixels from the left edge.
    public var x: Int
    /// Pixels from the top edge.
    public var y: Int
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    /// How sure the engine is.
    public var confidence: Double

    /// A box.
    public init(x: Int, y: Int, width: Int, height: Int, confidence: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.confidence = confidence
    }

    /// Every key is always there.
    public static let shape = Shape<FaceJSON>(
        "Face",
        about: "A box in pixels of the upright picture at full resolution.",
        [
            Member(CodingKeys.x, \.x), Member(CodingKeys.y, \.y), Member(CodingKeys.width, \.width),
            Member(CodingKeys.height, \.height), Member(CodingKeys.confidence, \.confidence),
        ]
    )
}
