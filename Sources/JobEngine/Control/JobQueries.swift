import JobCore

/// Reads of what is durable.
///
/// They go to the store's own readers and never through the engine's inbox, so they never wait
/// behind work.
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
    /// The id of an event behind which all are that happened at a moment or later; what comes
    /// behind it may be a little earlier.
    func lastEvent(before moment: Timestamp) async throws -> Int64
    /// The ids of the oldest and the newest event that are kept; nil when there are none.
    func eventRange() async throws -> ClosedRange<Int64>?
}
