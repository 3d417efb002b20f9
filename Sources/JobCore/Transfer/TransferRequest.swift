/// One URL to fetch into one partial.
public struct TransferRequest: Hashable, Sendable {
    /// The job it is for; a job has at most one transfer at a time.
    public var job: JobID
    /// The URL as it goes to the server, credentials included.
    public var url: JobURL
    /// The partial's absolute path.
    public var partialPath: String
    /// Where to go on; nil fetches from the first byte.
    public var resume: ResumePoint?

    /// Asks for a URL to be fetched into a partial.
    public init(job: JobID, url: JobURL, partialPath: String, resume: ResumePoint?) {
        self.job = job
        self.url = url
        self.partialPath = partialPath
        self.resume = resume
    }
}
