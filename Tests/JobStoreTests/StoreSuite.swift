import JobCore
import TestSupport

@testable import JobStore

/// Tests of a store in a directory of their own.
protocol StoreSuite {
    var directory: TemporaryDirectory { get }
}

extension StoreSuite {
    var accepted: Moment { Moment(microseconds: 1_795_243_503_611_000) }

    func open(historyLimit: Int = 1000) throws -> JobStore {
        try JobStore(path: directory.path("facefetch.sqlite"), historyLimit: historyLimit)
    }

    func job(_ id: Int64, batch: Int64 = 1) throws -> Job {
        Job(
            id: JobID(rawValue: id),
            batch: BatchID(rawValue: batch),
            createdAt: accepted,
            url: try JobURL("https://example.org/\(id).jpg"),
            name: "\(id).jpg"
        )
    }

    func batch(
        _ id: Int64 = 1,
        jobs: Int,
        isVisible: Bool = true,
        key: String? = nil
    ) -> StoreChanges.NewBatch {
        StoreChanges.NewBatch(
            id: BatchID(rawValue: id),
            createdAt: accepted,
            submittedBy: 1000,
            jobs: JobID(rawValue: 1)...JobID(rawValue: Int64(jobs)),
            isVisible: isVisible,
            idempotencyKey: key,
            bodyDigest: key.map { "digest of \($0)" }
        )
    }

    func accept(_ jobs: [Job], into store: JobStore, isVisible: Bool = true) throws {
        var changes = StoreChanges()
        changes.newBatches = [batch(jobs: jobs.count, isVisible: isVisible)]
        changes.newJobs = jobs
        changes.lastEnding = jobs.map(\.endings.latest).max() ?? 0
        try store.commit(changes)
    }

    func event(
        _ id: Int64,
        job: Int64 = 1,
        _ kind: JobEvent.Kind,
        after seconds: Double = 0
    ) -> JobEvent {
        JobEvent(
            id: id,
            time: accepted.adding(seconds: seconds),
            batchCreatedAt: accepted,
            batch: BatchID(rawValue: 1),
            job: JobID(rawValue: job),
            kind: kind
        )
    }
}
