/// What whoever submits a job may ask for besides its URL, its name and its place in the queue.
public struct JobOptions: Hashable, Sendable {
    /// The SHA-256 that the document must have, in lower-case hex.
    public var expectedSHA256: String?
    /// Header fields that are sent to the scheme, host and port of the job's URL, and nowhere else.
    ///
    /// They may be secrets: nobody is shown them, and they are forgotten once the document is
    /// stored or the job cancelled.
    public var headers: [RequestHeader]
    /// The most bytes a second; nil for no limit of its own.
    public var rateLimit: Int64?

    /// Nothing but what is named.
    public init(
        expectedSHA256: String? = nil,
        headers: [RequestHeader] = [],
        rateLimit: Int64? = nil
    ) {
        self.expectedSHA256 = expectedSHA256
        self.headers = headers
        self.rateLimit = rateLimit
    }
}

// Parts of a job are what the engine and the machines speak of: `job.headers`.
extension Job {
    /// What was asked for.
    public subscript<Value>(dynamicMember option: WritableKeyPath<JobOptions, Value>) -> Value {
        get { options[keyPath: option] }
        set { options[keyPath: option] = newValue }
    }
}
