/// A document to look for faces in.
public struct DetectionRequest: Hashable, Sendable {
    /// The job that the document belongs to.
    public var job: JobID
    /// The document's absolute path.
    public var path: String
    /// The engine to use; nil for the one in the settings.
    public var engine: DetectionEngine?

    /// Creates a request for a job's document.
    public init(job: JobID, path: String, engine: DetectionEngine? = nil) {
        self.job = job
        self.path = path
        self.engine = engine
    }
}
