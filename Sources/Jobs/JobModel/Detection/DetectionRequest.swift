import Vocabulary

/// A document to look for faces in.
public struct DetectionRequest: Hashable, Sendable {
    /// The job that the document belongs to.
    public var job: JobID
    /// The document's absolute path.
    public var path: String
    /// The engine to use; nil for the one in the settings.
    public var engine: DetectionEngine?
    /// The document's SHA-256; nil if unknown.
    public var sha256: String?
    /// The mark of the document as it was hashed; nil if unknown.
    public var mark: FileMark?

    public init(job: JobID, path: String, engine: DetectionEngine? = nil) {
        self.job = job
        self.path = path
        self.engine = engine
    }

    /// Creates a request for the document of a job, which must have one.
    public init?(_ job: Job) {
        guard let path = job.path else { return nil }
        self.init(job: job.id, path: path, engine: job.detectionDemand?.engine)
        sha256 = job.sha256
        mark = job.documentMark
    }
}
