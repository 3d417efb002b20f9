import Vocabulary

/// A source as the store keeps it; what its texts say is the business of who runs sources.
public struct SourceRow: Hashable, Sendable {
    /// The source's number, from 1.
    public var id: Int64
    /// Its name; nil for one that was removed, while its keys go.
    public var name: String?
    /// Its recipe as it was given.
    public var recipe: String
    /// The source's state, as text.
    public var state: String

    /// A source's row.
    public init(id: Int64, name: String?, recipe: String, state: String) {
        self.id = id
        self.name = name
        self.recipe = recipe
        self.state = state
    }
}

/// The hash of the key of a source's item, in 128 bits.
public struct ItemHash: Hashable, Sendable {
    /// The first 8 bytes, most significant first.
    public var high: UInt64
    /// The last 8 bytes, most significant first.
    public var low: UInt64

    /// A hash by its halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// The record of a part of a source that was read to its end.
public struct SliceRow: Hashable, Sendable {
    /// The slice's key.
    public var key: String
    /// Everything else, a text.
    public var body: String

    /// A slice's row.
    public init(key: String, body: String) {
        self.key = key
        self.body = body
    }
}

/// An item that a source knows, and its job as far as that says whether a new URL would mend it.
public struct KnownItem: Hashable, Sendable {
    /// The job that it became.
    public var job: JobID
    /// The URL and the failure's code, if the job failed or waits after a failure.
    public var trouble: Trouble?
    /// The URL from which the job is still to be fetched; nil if it has ended, or has its document.
    public var pendingURL: String?
    /// The path at which the job's document was published; nil if it has none.
    public var path: String?

    /// A job's failure, and the URL that failed.
    public struct Trouble: Hashable, Sendable {
        /// The URL that the job fetches from.
        public var url: String
        /// The failure's code.
        public var code: FailureCode

        /// A failure of a URL.
        public init(url: String, code: FailureCode) {
            self.url = url
            self.code = code
        }
    }

    /// An item and its job.
    public init(job: JobID, trouble: Trouble? = nil, pendingURL: String? = nil, path: String? = nil) {
        self.job = job
        self.trouble = trouble
        self.pendingURL = pendingURL
        self.path = path
    }
}
