/// A job with its document and its faces, reduced to what exports need.
///
/// It holds what the control socket reports about a job, except for what no format has room for. The client
/// reads it from JSON with ``ExportedPage``; the daemon fills it in from its own records.
public struct ExportedJob: Hashable, Sendable {
    /// The job's id.
    public var id: Int64
    /// The id of its batch.
    public var batch: Int64 = 0
    /// The job's state.
    public var state = ""
    /// The ending of the job; nil if the daemon doesn't say.
    public var ending: String?
    /// The number of that ending; nil if the daemon doesn't say.
    public var ended: Int64?
    /// The document's name.
    public var name = ""
    /// The document's folder, as a path in the documents directory; nil for that directory itself.
    public var folder: String?
    /// The document's absolute path; nil until it is stored.
    public var path: String?
    /// The URL that the file came from, with any password masked.
    public var url = ""
    /// The number of bytes fetched.
    public var bytes: Int64 = 0
    /// The document's SHA-256; nil if it isn't known.
    public var sha256: String?
    /// The name of the source that listed the job; nil if none did.
    public var source: String?
    /// The key by which the source knows the item.
    public var itemKey: String?
    /// The metadata given by whoever added the job, as a JSON object.
    public var meta: String?
    /// The time when the batch was accepted, in RFC 3339 format.
    public var createdAt = ""
    /// The time when the job ended, in RFC 3339 format.
    public var finishedAt: String?
    /// The URL that answered, after all redirects, with any password masked; nil if it isn't known.
    public var finalURL: String?
    /// The time of the file's last modification according to the server, in RFC 3339 format.
    public var lastModified: String?
    /// The Content-Type field of the server's answer.
    public var contentType: String?
    /// The ETag field of the server's answer.
    public var etag: String?
    /// The code of the error, if the job failed.
    public var error: String?
    /// The result of looking for faces; nil if nobody has looked.
    public var detection: ExportedDetection?

    public init(id: Int64) { self.id = id }

    /// The document's path in the documents directory.
    public var file: String { folder.map { "\($0)/\(name)" } ?? name }

    /// True if the job is still what the ending says, and not something else that is listed as well, or will
    /// be.
    ///
    /// Of a document that is looked at again, the first result stands until there is a second one.
    public var isAsItEnded: Bool {
        guard let ending, ending != state else { return true }
        return ending == "done" && detection != nil && ["stored", "detecting", "paused"].contains(state)
    }

    /// Returns the picture with its faces; nil if they weren't counted, or if its size isn't known.
    public func picture(in coordinates: Coordinates) -> ExportedPicture? {
        guard let detection, detection.isCounted else { return nil }
        return ExportedPicture(detection, in: coordinates)
    }
}

/// The result of looking for faces in a document.
public struct ExportedDetection: Hashable, Sendable {
    /// The outcome, such as `counted`.
    public var outcome = ""
    /// The number of faces, if they were counted.
    public var faceCount: Int?
    /// The faces, in pixels of the upright picture.
    public var faces: [ExportedFace] = []
    /// The width of the upright picture in pixels; nil if it isn't known.
    public var width: Int?
    /// The height of the upright picture in pixels; nil if it isn't known.
    public var height: Int?
    /// The orientation of the picture in its file, as in EXIF; nil if it isn't known.
    public var orientation: Int?
    /// The format of the file.
    public var format: String?
    /// The fingerprint of the picture, 16 hexadecimal digits; nil if it has none.
    public var fingerprint: String?
    /// The angle in degrees by which the picture was turned when its faces were found; nil if it wasn't.
    public var turned: Int?
    /// The engine that looked.
    public var engine = ""

    /// Creates a result of which nothing else is known yet.
    public init() {}

    /// True if the picture was read and its faces counted.
    public var isCounted: Bool { outcome == "counted" }
}

/// A face and the engine's confidence in it.
public struct ExportedFace: Hashable, Sendable {
    /// The box around the face, in pixels.
    public var box: Box
    /// The engine's confidence, whose scale depends on the engine.
    public var confidence: Double
    /// Five places of the face in the upright picture, in the order of the control socket; nil if the
    /// engine doesn't tell.
    public var landmarks: [Place]?

    /// A place in pixels.
    public struct Place: Hashable, Sendable {
        /// Pixels from the left edge.
        public var x: Double
        /// Pixels from the top edge.
        public var y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    public init(box: Box, confidence: Double, landmarks: [Place]? = nil) {
        self.box = box
        self.confidence = confidence
        self.landmarks = landmarks
    }
}
