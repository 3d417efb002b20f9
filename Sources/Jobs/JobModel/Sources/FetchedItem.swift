import Vocabulary

/// The version of a picture, as far as its server has told how to know it again.
public struct PictureVersion: Hashable, Sendable {
    /// The ETag field verbatim.
    public var entityTag: String?
    /// The Last-Modified field verbatim.
    public var lastModified: String?
    /// The length in bytes.
    public var length: Int64?
    /// The time when the picture was fetched, or last confirmed by its server; nil if that isn't known.
    public var seenAt: SteadyTime?

    /// Creates a version; nil for what isn't known.
    public init(
        entityTag: String? = nil,
        lastModified: String? = nil,
        length: Int64? = nil,
        seenAt: SteadyTime? = nil
    ) {
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.length = length
        self.seenAt = seenAt
    }
}

/// An item of a source with its job, as far as that says whether its picture may have changed.
public struct FetchedItem: Hashable, Sendable {
    /// The hash of the item's key.
    public var hash: ItemHash
    /// The job that it became.
    public var job: JobID
    /// The URL of the job; nil where the job is forgotten.
    public var url: String?
    /// True if its picture was fetched.
    public var isFetched = false
    /// The path at which the document was published; nil if the daemon has removed it since.
    public var path: String?
    /// True if it was evictable, that is, removable to make room.
    public var isEvictable = false
    /// True if the source said which bytes it must have.
    public var isFixed = false
    /// The version of its picture, as far as known.
    public var version = PictureVersion()

    /// An item and its job.
    public init(hash: ItemHash, job: JobID) { (self.hash, self.job) = (hash, job) }
}
