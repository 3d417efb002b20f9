import GRDB
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Tests of what those who ask are answered from.
struct QueryTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("A batch whose last slice never came is seen by nobody, and gone after the next start")
    func hiddenBatch() async throws {
        let store = try open()
        var changes = StoreChanges()
        changes.newBatches = [batch(jobs: 3, isVisible: false)]
        changes.newJobs = [try job(1), try job(2)]
        try store.commit(changes)
        #expect(try await store.job(JobID(rawValue: 1)) == nil)
        #expect(try await store.jobs(JobFilter(), after: nil, limit: 10).items.isEmpty)
        #expect(try await store.batch(BatchID(rawValue: 1)) == nil)
        let state = try store.storedState()
        #expect(try store.waiting().transfers.isEmpty)
        #expect(state.jobsByState.isEmpty)
    }

    @Test("A batch that has its last job was accepted, whatever its row says: its last slice shows it")
    func hiddenWhole() async throws {
        let store = try open()
        try accept([try job(1), try job(2)], into: store)
        try await store.database.write { try $0.execute(sql: "UPDATE batches SET is_visible = 0") }
        #expect(try store.waiting().transfers == [1, 2])
        #expect(try await store.batch(BatchID(rawValue: 1))?.jobsByState == [.queued: 2])
    }

    @Test("A batch is seen once its last slice is in")
    func revealedBatch() async throws {
        let store = try open()
        try accept([try job(1)], into: store, isVisible: false)
        var changes = StoreChanges()
        changes.newJobs = [try job(2)]
        changes.revealedBatches = [BatchID(rawValue: 1)]
        try store.commit(changes)
        #expect(try await store.batch(BatchID(rawValue: 1))?.jobsByState == [.queued: 2])
    }

    @Test("A list is paged by id, filtered, and counted whole")
    func pages() async throws {
        let store = try open()
        let jobs = try (1...25).map { number in
            var job = try job(Int64(number))
            if number % 5 == 0 { job.state = .paused }
            return job
        }
        try accept(jobs, into: store)
        let first = try await store.jobs(JobFilter(), after: nil, limit: 10)
        #expect(first.items.map(\.id.rawValue) == Array(1...10))
        #expect(first.total == 25 && first.hasMore)
        let last = try await store.jobs(JobFilter(), after: JobID(rawValue: 20), limit: 10)
        #expect(last.items.count == 5 && !last.hasMore)
        let paused = try await store.jobs(
            JobFilter(state: .paused, batch: BatchID(rawValue: 1)),
            after: nil,
            limit: 3
        )
        #expect(paused.items.map(\.id.rawValue) == [5, 10, 15])
        #expect(paused.total == 5 && paused.hasMore)
        let none = try await store.jobs(JobFilter(batch: BatchID(rawValue: 2)), after: nil, limit: 3)
        #expect(none.items.isEmpty && none.total == 0)
        #expect(try await store.batches(after: nil, limit: 1).items.map(\.jobCount) == [25])
    }

    @Test("The result of the same bytes is found, by the same engine and parameters only, by an index")
    func detectionOfBytes() throws {
        let store = try open()
        let haar = DetectorIdentity(engine: "haar", parameters: "p")
        var jobs = try (1...4).map { try job(Int64($0)) }
        for index in jobs.indices {
            jobs[index].state = .done
            jobs[index].path = "/d/\(index).jpg"
            jobs[index].sha256 = index == 3 ? "ff" : "ee"
            jobs[index].finishedAt = accepted
            jobs[index].detection = DetectionResult(
                outcome: index == 0 ? .timedOut : .counted,
                engine: "haar",
                parameters: "p",
                seconds: 1
            )
        }
        try accept(jobs, into: store)
        let known = try store.detection(ofBytes: "ee", by: haar)
        #expect(known?.job == JobID(rawValue: 2))
        #expect(known?.result == jobs[1].detection)
        #expect(try store.detection(ofBytes: "aa", by: haar) == nil)
        for other in [("yunet", "p"), ("haar", "q")] {
            let identity = DetectorIdentity(engine: other.0, parameters: other.1)
            #expect(try store.detection(ofBytes: "ee", by: identity) == nil)
        }
    }

    @Test("An idempotency key finds the batch it came with")
    func idempotency() throws {
        let store = try open()
        var changes = StoreChanges()
        changes.newBatches = [batch(jobs: 2, key: "k")]
        changes.newJobs = [try job(1), try job(2)]
        try store.commit(changes)
        let found = try #require(try store.acceptedBatch(idempotencyKey: "k", of: 1000))
        #expect(found.batch.id.rawValue == 1 && found.jobs.map(\.rawValue) == [1, 2])
        #expect(found.bodyDigest == "digest of k")
        #expect(try store.acceptedBatch(idempotencyKey: "other", of: 1000) == nil)
        #expect(try store.acceptedBatch(idempotencyKey: "k", of: 1001) == nil)
        #expect(try store.acceptedBatch(idempotencyKey: "k", of: nil) == nil)
    }
}
