import JobCore
import JobModel
import Vocabulary

/// Queries of durable data.
///
/// They use the store's own readers instead of the engine's inbox, so they never wait behind work.
public protocol JobQueries: Sendable {
    /// Returns one job; nil if there is none with this id.
    func job(_ id: JobID) async throws -> Job?
    /// Returns up to `limit` jobs in order of their ids, those after `after`.
    func jobs(_ filter: JobFilter, order: JobOrder, after: JobID?, limit: Int) async throws -> JobPage
    /// Hands on endings in order of their numbers, piece by piece while more are read, and returns the page
    /// without them; nothing is missing below the last number of a page.
    func endings(
        _ query: EndingQuery,
        _ take: @escaping @Sendable ([EndedJob]) -> Void
    ) async throws -> EndingPage
    /// Returns the index of the documents whose jobs match a filter, or its first `limit` documents,
    /// with the times when they came if `hasTimes`.
    func documentIndex(
        _ filter: JobFilter,
        order: DocumentIndex.Order,
        limit: Int?,
        hasTimes: Bool
    ) async throws -> DocumentIndex
    /// Returns the documents that are there and whose jobs match a filter, and were done after an ending with this
    /// number, to be compared with each other.
    func likenessDocuments(_ filter: JobFilter, endedAfter: Int64?) async throws -> LikenessDocuments
    /// Returns the documents that are there and like that of a job, the most alike first.
    func similar(to job: Job, distance: Int, limit: Int) async throws -> SimilarDocuments
    /// Returns one batch with its counts; nil if there is none with this id.
    func batch(_ id: BatchID) async throws -> Batch?
    /// Returns the batch that was accepted under an idempotency key of a user's; nil if there is none.
    func batch(idempotencyKey: String, of user: UInt32?) async throws -> Batch?
    /// Returns the answer to a batch of which nothing was new, under an idempotency key of a user's; nil if there is
    /// none.
    func emptyAnswer(idempotencyKey: String, of user: UInt32?) async throws -> StoreChanges.EmptyAnswer?
    /// Returns the places of those of some URLs, all different, that a job has which has neither failed nor been
    /// cancelled.
    func known(_ urls: [JobURL]) async throws -> Set<Int>
    /// Returns the ids of up to `limit` jobs that ended before a time, in ascending order, those after `after`.
    func jobIDs(endedBefore moment: Timestamp, after: JobID?, limit: Int) async throws -> [JobID]
    /// Returns the jobs in some states that a filter lets through, and how many match it in whatever state.
    func matches(_ filter: JobFilter, in states: [JobState]) async throws -> JobMatches
    /// Returns the ids of a batch's jobs in ascending order.
    func jobIDs(of batch: BatchID) async throws -> [JobID]
    /// Returns up to `limit` batches behind `after`, by their ids in the order asked for.
    ///
    /// - Parameter areUnfinished: True if only batches with jobs that haven't ended are wanted.
    func batches(
        after: BatchID?,
        limit: Int,
        order: JobOrder,
        areUnfinished: Bool
    ) async throws -> BatchPage
    /// Returns about `limit` events with ids above `after`, in ascending order and in whole turns.
    func events(after: Int64, limit: Int, batch: BatchID?) async throws -> [JobEvent]
    /// Returns the id of an event after which come all that happened at or after a time; a few that come
    /// after it may be earlier.
    func lastEvent(before moment: Timestamp) async throws -> Int64
    /// Returns the id of an event after which come the newest `count` events that are kept, of a batch or of all.
    func lastEvent(leaving count: Int, of batch: BatchID?) async throws -> Int64
    /// Returns the ids of the oldest and the newest event kept; nil if there are none.
    func eventRange() async throws -> ClosedRange<Int64>?
}
