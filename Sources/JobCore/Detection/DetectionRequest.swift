/// A document to look for faces in.
public struct DetectionRequest: Hashable, Sendable {
    /// The job that the document belongs to.
    public var job: JobID
    /// The document's absolute path.
    public var path: String
    /// The engine that is to look; nil for the one of the settings.
    public var engine: DetectionEngine?

    /// Asks for the faces in the document of a job.
    public init(job: JobID, path: String, engine: DetectionEngine? = nil) {
        self.job = job
        self.path = path
        self.engine = engine
    }
}
