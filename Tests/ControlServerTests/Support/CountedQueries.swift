import JobCore
import JobEngine
import JobModel
import JobStore
import Synchronization
import Vocabulary

/// The real store's answers, and how often a page of jobs was asked for.
final class CountedQueries: JobQueries {
    private let store: JobStore
    private let likeness: (@Sendable () async -> LikenessDocuments)?
    private let pageCount = Mutex(0)
    private let held = Mutex<HeldQuestions?>(nil)

    /// Creates queries of a store.
    ///
    /// - Parameter likeness: Returns the documents to be compared, if they aren't to be those of the store.
    init(_ store: JobStore, likeness: (@Sendable () async -> LikenessDocuments)? = nil) {
        self.store = store
        self.likeness = likeness
    }

    /// The number of times that a page of jobs was asked for.
    var pages: Int { pageCount.withLock { $0 } }

    /// Has pages of jobs and of the history held from now on.
    func hold(_ questions: HeldQuestions) { held.withLock { $0 = questions } }

    func jobs(_ filter: JobFilter, order: JobOrder, after: JobID?, limit: Int) async throws -> JobPage {
        pageCount.withLock { $0 += 1 }
        await held.withLock(\.self)?.come(filter.text ?? "jobs")
        return try await store.jobs(filter, order: order, after: after, limit: limit)
    }

    func endings(
        _ query: EndingQuery,
        _ take: @escaping @Sendable ([EndedJob]) -> Void
    ) async throws -> EndingPage { try await store.endings(query, take) }
    func job(_ id: JobID) async throws -> Job? { try await store.job(id) }
    func documentIndex(
        _ filter: JobFilter,
        order: DocumentIndex.Order,
        limit: Int?,
        hasTimes: Bool
    ) async throws -> DocumentIndex {
        try await store.documentIndex(filter, order: order, limit: limit, hasTimes: hasTimes)
    }
    func likenessDocuments(_ filter: JobFilter, endedAfter: Int64?) async throws -> LikenessDocuments {
        if let likeness { return await likeness() }
        return try await store.likenessDocuments(filter, endedAfter: endedAfter)
    }
    func similar(to job: Job, distance: Int, limit: Int) async throws -> SimilarDocuments {
        try await store.similar(to: job, distance: distance, limit: limit)
    }
    func batch(idempotencyKey: String, of user: UInt32?) async throws -> Batch? {
        try await store.batch(idempotencyKey: idempotencyKey, of: user)
    }
    func emptyAnswer(idempotencyKey: String, of user: UInt32?) async throws -> StoreChanges.EmptyAnswer? {
        try await store.emptyAnswer(idempotencyKey: idempotencyKey, of: user)
    }
    func known(_ urls: [JobURL]) async throws -> Set<Int> { try await store.known(urls) }
    func jobIDs(endedBefore moment: Timestamp, after: JobID?, limit: Int) async throws -> [JobID] {
        try await store.jobIDs(endedBefore: moment, after: after, limit: limit)
    }
    func batch(_ id: BatchID) async throws -> Batch? { try await store.batch(id) }
    func matches(_ filter: JobFilter, in states: [JobState]) async throws -> JobMatches {
        try await store.matches(filter, in: states)
    }
    func jobIDs(of batch: BatchID) async throws -> [JobID] { try await store.jobIDs(of: batch) }
    func batches(
        after: BatchID?,
        limit: Int,
        order: JobOrder,
        areUnfinished: Bool
    ) async throws -> BatchPage {
        try await store.batches(after: after, limit: limit, order: order, areUnfinished: areUnfinished)
    }
    func events(after: Int64, limit: Int, batch: BatchID?) async throws -> [JobEvent] {
        await held.withLock(\.self)?.come("events")
        return try await store.events(after: after, limit: limit, batch: batch)
    }
    func lastEvent(before moment: Timestamp) async throws -> Int64 {
        try await store.lastEvent(before: moment)
    }
    func lastEvent(leaving count: Int, of batch: BatchID?) async throws -> Int64 {
        try await store.lastEvent(leaving: count, of: batch)
    }
    func eventRange() async throws -> ClosedRange<Int64>? { try await store.eventRange() }
}
