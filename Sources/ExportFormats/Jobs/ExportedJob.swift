/// A job with its document and faces, as exports know it.
///
/// It has what the control socket says of a job, less what no format has room for. Who has the job's
/// JSON reads it with ``ExportedPage``; the daemon fills one in from its own.
public struct ExportedJob: Hashable, Sendable {
    /// The job's id.
    public var id: Int64
    /// The id of its batch.
    public var batch: Int64 = 0
    /// Where it stands.
    public var state = ""
    /// How it ended; nil where the daemon doesn't say.
    public var ending: String?
    /// The number of that ending; nil where the daemon doesn't say.
    public var ended: Int64?
    /// The document's name.
    public var name = ""
    /// The document's absolute path, once stored.
    public var path: String?
    /// Where the file came from, any password masked.
    public var url = ""
    /// Bytes fetched.
    public var bytes: Int64 = 0
    /// The document's SHA-256, where it is known.
    public var sha256: String?
    /// The name of the source that listed it.
    public var source: String?
    /// What makes the item known in its source.
    public var itemKey: String?
    /// What whoever added the job knows of it, as JSON.
    public var meta: String?
    /// When the batch was accepted, RFC 3339.
    public var createdAt = ""
    /// When the job ended, RFC 3339.
    public var finishedAt: String?
    /// The code of the error, where the job failed.
    public var error: String?
    /// What came of looking for faces.
    public var detection: ExportedDetection?

    /// A job of which nothing else is known yet.
    public init(id: Int64) { self.id = id }

    /// The picture with its faces, in these coordinates; nil where it was not counted, or its size isn't known.
    public func picture(in coordinates: Coordinates) -> ExportedPicture? {
        guard let detection, detection.isCounted else { return nil }
        return ExportedPicture(detection, in: coordinates)
    }
}

/// What came of looking for faces in a document.
public struct ExportedDetection: Hashable, Sendable {
    /// The outcome's word.
    public var outcome = ""
    /// How many faces, where they were counted.
    public var faceCount: Int?
    /// The faces, in pixels of the upright picture.
    public var faces: [ExportedFace] = []
    /// Width of the upright picture in pixels, where it is known.
    public var width: Int?
    /// Height of the upright picture in pixels, where it is known.
    public var height: Int?
    /// How the picture lies in its file, as the value of EXIF, where it is known.
    public var orientation: Int?
    /// The format of the file.
    public var format: String?
    /// The engine that looked.
    public var engine = ""

    /// A result of which nothing else is known yet.
    public init() {}

    /// Whether the picture was read and its faces counted.
    public var isCounted: Bool { outcome == "counted" }
}

/// A face, and how sure the engine is of it.
public struct ExportedFace: Hashable, Sendable {
    /// Where it is, in pixels.
    public var box: Box
    /// How sure the engine is.
    public var confidence: Double

    /// A face.
    public init(box: Box, confidence: Double) {
        self.box = box
        self.confidence = confidence
    }
}
