/// Further options of a submitted job, besides its URL, name and priority.
public struct JobOptions: Hashable, Sendable {
    /// The SHA-256 that the document must have, in lower-case hex.
    public var expectedSHA256: String?
    /// Header fields sent only to the scheme, host and port of the job's URL.
    ///
    /// They may be secrets: they are never shown, and are deleted once the document is stored or the job
    /// is cancelled.
    public var headers: [RequestHeader]
    /// The limit on the transfer rate in bytes per second; nil for no limit of its own.
    public var rateLimit: Int64?
    /// Data of the caller's own, kept with the job.
    public var meta: JobMeta?
    /// The name of the source that it comes from; nil for jobs that were posted.
    ///
    /// Only the daemon's own feeders say so.
    public var source: String?
    /// The item's key in the source.
    public var itemKey: String?
    /// True if the document may be removed to make room (`documents.maximum-size`).
    public var isEvictable: Bool
    /// The weight of what it came with, beside other batches and sources: the share of one of weight 2 is
    /// twice that of one of weight 1.
    public var weight: Int
    /// The folder for the document that was asked for; nil for the one of `documents.layout`.
    public var folder: DocumentFolder?

    /// The weights that there are.
    public static let weights = 1...1000

    public init(
        expectedSHA256: String? = nil,
        headers: [RequestHeader] = [],
        rateLimit: Int64? = nil,
        meta: JobMeta? = nil,
        source: String? = nil,
        itemKey: String? = nil,
        isEvictable: Bool = false,
        weight: Int = 1,
        folder: DocumentFolder? = nil
    ) {
        self.expectedSHA256 = expectedSHA256
        self.headers = headers
        self.rateLimit = rateLimit
        self.meta = meta
        self.source = source
        self.itemKey = itemKey
        self.isEvictable = isEvictable
        self.weight = weight
        self.folder = folder
    }
}

// The engine and the machines speak of options as parts of the job: `job.headers`.
extension Job {
    /// One of the job's options.
    @inlinable public subscript<Value>(dynamicMember option: WritableKeyPath<JobOptions, Value>) -> Value {
        get { options[keyPath: option] }
        set { options[keyPath: option] = newValue }
    }
}
