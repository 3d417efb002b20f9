import JobCore

/// Reads of what is durable. They go to the store's own readers and never
/// through the engine's inbox, so they never wait behind work.
public protocol JobQueries: Sendable {
    /// One job; nil when there is none of that name.
    func job(_ id: JobID) async throws -> Job?
    /// Jobs by ascending id, `limit` of them at the most, with ids above `after`.
    func jobs(_ filter: JobFilter, after: JobID?, limit: Int) async throws -> JobPage
    /// One batch with its counts; nil when there is none of that name.
    func batch(_ id: BatchID) async throws -> Batch?
    /// The jobs of a batch, by ascending id.
    func jobIDs(of batch: BatchID) async throws -> [JobID]
    /// Batches by ascending id, `limit` of them at the most, with ids above `after`.
    func batches(after: BatchID?, limit: Int) async throws -> BatchPage
    /// Events by ascending id, with ids above `after`: some `limit` of them, whole turns.
    func events(after: Int64, limit: Int, batch: BatchID?) async throws -> [JobEvent]
    /// The ids of the oldest and the newest event that are kept; nil when there are none.
    func eventRange() async throws -> ClosedRange<Int64>?
}

/// Which jobs are asked for; nothing set means all.
public struct JobFilter: Hashable, Sendable {
    /// Only jobs in this state.
    public var state: JobState?
    /// Only jobs of this batch.
    public var batch: BatchID?

    /// A filter.
    public init(state: JobState? = nil, batch: BatchID? = nil) {
        self.state = state
        self.batch = batch
    }
}

/// Some jobs of a longer list.
public struct JobPage: Sendable {
    /// The jobs, by ascending id.
    public var items: [Job]
    /// How many jobs the filter lets through, on all pages.
    public var total: Int
    /// True when more follow after the last of ``items``.
    public var hasMore: Bool

    /// A page.
    public init(items: [Job], total: Int, hasMore: Bool) {
        self.items = items
        self.total = total
        self.hasMore = hasMore
    }
}

/// Some batches of a longer list.
public struct BatchPage: Sendable {
    /// The batches, by ascending id.
    public var items: [Batch]
    /// How many batches there are, on all pages.
    public var total: Int
    /// True when more follow after the last of ``items``.
    public var hasMore: Bool

    /// A page.
    public init(items: [Batch], total: Int, hasMore: Bool) {
        self.items = items
        self.total = total
        self.hasMore = hasMore
    }
}
