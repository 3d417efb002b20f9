import Vocabulary

/// The result of looking for faces in a document.
public struct DetectionJSON: ListedObject {
    /// The outcome.
    public var outcome: APIWord<DetectionOutcome>
    /// The number of faces, if they were counted.
    public var faceCount: Int?
    /// The faces, in pixels of the upright picture.
    public var faces: [Face]
    /// The width of the upright picture in pixels, if the picture could be read.
    public var width: Int?
    /// The height of the upright picture in pixels, if the picture could be read.
    public var height: Int?
    /// The EXIF orientation, 1 to 8, if the picture could be read.
    public var orientation: Int?
    /// The format of the file, if the picture could be read.
    public var format: String?
    /// The sizes in which the picture was looked at; empty if they aren't known.
    public var looks: [Int]?
    /// The reason why there is nothing else, as the end of a sentence about the document; nil if it was
    /// looked at.
    public var reason: String?
    /// True if much of the file's data is damaged; nil if it isn't.
    public var damaged: Bool?
    /// The fingerprint of the picture; nil if it has none.
    public var fingerprint: String?
    /// The angle in degrees by which the picture was turned when its faces were found; nil if it wasn't.
    public var turned: Int?
    /// The engine that looked.
    public var engine: APIWord<DetectionEngine>
    /// The engine's parameters.
    public var parameters: String
    /// The job that this result is shared from, if the same content had been looked at before.
    public var sharedFrom: Int64?
    /// The seconds that detection took.
    public var seconds: Double

    enum CodingKeys: String, CodingKey, CaseIterable {
        case outcome
        case faceCount = "face_count"
        case faces, width, height, orientation, format, looks, reason, damaged, fingerprint, engine
        case parameters
        case sharedFrom = "shared_from"
        case seconds, turned
    }

    public init(
        outcome: APIWord<DetectionOutcome>,
        faceCount: Int?,
        faces: [Face],
        width: Int?,
        height: Int?,
        orientation: Int?,
        format: String?,
        looks: [Int] = [],
        reason: String? = nil,
        damaged: Bool? = nil,
        fingerprint: String? = nil,
        turned: Int? = nil,
        engine: APIWord<DetectionEngine>,
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
        self.looks = looks
        self.reason = reason
        self.damaged = damaged
        self.fingerprint = fingerprint
        self.turned = turned
        self.engine = engine
        self.parameters = parameters
        self.sharedFrom = sharedFrom
        self.seconds = seconds
    }

    public func visit(_ visitor: inout some MemberVisitor) {
        visitor.member(ifKnown: "damaged", damaged) {
            "True where so much of a JPEG's data is damaged that faces may be missing, and the picture is whole but "
                + "for that. Absent otherwise, also where its decoder has made good a little damage."
        }
        visitor.member("engine", engine, .string())
        visitor.member("face_count", faceCount, .count.orNull)
        visitor.member("faces", faces)
        visitor.member(ifKnown: "fingerprint", fingerprint, .string(pattern: "^[0-9a-f]{16}$")) {
            "A perceptual hash of 64 bits: copies of a picture in another size, quality or format have one that "
                + "differs in at most about 6. Absent where there is too little in the picture, and in results of "
                + "versions before it was made."
        }
        visitor.member("format", format, .string().orNull) {
            "jpeg, png, webp, gif, tiff, heif, bmp, jxl, jp2, or raw for a camera's RAW file, whose preview was "
                + "looked at."
        }
        visitor.member("height", height, .integer(from: 1).orNull)
        visitor.member(ifKnown: "looks", looks, isPromised: true) {
            "The longer side, in pixels, of the picture in each look; empty if unknown."
        }
        visitor.member("orientation", orientation, .integer(from: 1, to: 8).orNull) {
            "The EXIF orientation of the picture in its file."
        }
        visitor.member("outcome", outcome) {
            "crashed: a detector ended twice without an answer, or gave impossible ones."
        }
        visitor.member("parameters", parameters)
        visitor.member(ifKnown: "reason", reason) {
            "Why the document was not looked at, as the end of a sentence about it, of at most 200 bytes, in "
                + "facefetch's own words."
        }
        visitor.member("seconds", seconds, .number(from: 0)) { "Measured by the daemon." }
        visitor.member("shared_from", sharedFrom, .id.orNull)
        visitor.member(ifKnown: "turned", turned, .integer(from: 90, to: 270)) {
            "90, 180 or 270 where no face was seen in the picture as it is, and the faces were found in it turned "
                + "clockwise by so many degrees (detection.turned). Boxes are those of the upright picture all the "
                + "same."
        }
        visitor.member("width", width, .integer(from: 1).orNull) {
            "Of the picture as people see it, at full resolution."
        }
    }

    public static let shape = Shape<DetectionJSON>(
        "Detection",
        of: DetectionJSON(
            outcome: .known(.counted),
            faceCount: nil,
            faces: [],
            width: nil,
            height: nil,
            orientation: nil,
            format: nil,
            engine: .unknown(""),
            parameters: "",
            sharedFrom: nil,
            seconds: 0
        ),
        in: CodingKeys.allCases
    )
}

extension Face: ListedObject {
    public func visit(_ visitor: inout some MemberVisitor) {
        visitor.member("confidence", confidence)
        visitor.member("height", height)
        visitor.member("landmarks", landmarks) {
            "The right eye, left eye, nose, and right and left corner of the mouth, from the person's own point of "
                + "view; null with haar."
        }
        visitor.member("width", width)
        visitor.member("x", x)
        visitor.member("y", y)
    }

    public static let shape = Shape<Face>(
        "Face",
        about: "A box in pixels of the upright picture at full resolution.",
        of: Face(x: 0, y: 0, width: 0, height: 0, confidence: 0),
        in: CodingKeys.allCases
    )
}

extension Face.Point: ListedObject {
    public func visit(_ visitor: inout some MemberVisitor) {
        visitor.member("x", x)
        visitor.member("y", y)
    }

    public static let shape = Shape<Face.Point>(
        "Point",
        about: "A place in the upright picture, in pixels at full resolution.",
        of: Face.Point(x: 0, y: 0),
        in: CodingKeys.allCases
    )
}
