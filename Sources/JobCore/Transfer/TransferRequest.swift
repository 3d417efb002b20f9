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
    /// The job's own header fields; they go to the URL's scheme, host and port only.
    public var headers: [RequestHeader]
    /// The most bytes a second for this transfer; nil for no limit of its own.
    public var rateLimit: Int64?
    /// The source of the job, whose server may want more of a request than the job has; nil for none.
    public var source: String?
    /// How the request is signed; sent to the URL's own scheme, host and port only.
    public var signature: RequestSignature?

    /// Asks for a URL to be fetched into a partial.
    public init(
        job: JobID,
        url: JobURL,
        partialPath: String,
        resume: ResumePoint?,
        headers: [RequestHeader] = [],
        rateLimit: Int64? = nil
    ) {
        self.job = job
        self.url = url
        self.partialPath = partialPath
        self.resume = resume
        self.headers = headers
        self.rateLimit = rateLimit
    }
}
