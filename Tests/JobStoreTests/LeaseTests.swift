import GRDB
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// The leases of batches: which of them a start has to know of.
struct LeaseTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Stores a batch with a lease, whose jobs are in these states.
    private func accept(_ batch: Int64, _ states: [JobState], lease: Int?, into store: JobStore) throws {
        let first = batch * 10
        var changes = StoreChanges()
        let ids = JobID(rawValue: first)...JobID(rawValue: first + Int64(states.count) - 1)
        changes.newBatches = [
            StoreChanges.NewBatch(
                id: BatchID(rawValue: batch),
                createdAt: accepted,
                submittedBy: nil,
                jobs: ids,
                isVisible: true,
                lease: lease
            )
        ]
        for (place, state) in states.enumerated() {
            var job = Job(
                id: JobID(rawValue: first + Int64(place)),
                batch: BatchID(rawValue: batch),
                createdAt: accepted,
                url: try JobURL("http://example.org/\(place).jpg"),
                name: "a.jpg"
            )
            changes.newJobs.append(job)
            job.state = state
            if state == .failed { job.failure = JobFailure(.timedOut, "slow") }
            changes.changedJobs.append(job)
        }
        try store.commit(changes)
    }

    @Test("A start knows of the leases of batches with jobs that haven't ended, and of no others")
    func unfinished() throws {
        let store = try open()
        try accept(1, [.cancelled, .failed], lease: 7, into: store)
        try accept(2, [.cancelled, .queued], lease: 8, into: store)
        try accept(3, [.paused], lease: nil, into: store)
        try accept(4, [.paused], lease: 9, into: store)
        let leases = try store.storedState().leases
        #expect(leases.map(\.batch.rawValue) == [2, 4] && leases.map(\.seconds) == [8, 9])
        // The others are there for whoever asks.
        let asked = try (1...5).map { try store.lease(of: BatchID(rawValue: $0)) }
        #expect(asked == [7, 8, nil, 9, nil])
        // The numbers of jobs are set right before they are believed.
        try store.database.writeWithoutTransaction { database in
            try database.execute(sql: "UPDATE job_counts SET number = 0 WHERE batch = 2 AND state = 'queued'")
        }
        #expect(try store.storedState().leases.map(\.batch.rawValue) == [2, 4])
    }

    @Test("Nobody has a lease of a batch that isn't accepted yet")
    func hidden() throws {
        let store = try open()
        try accept(1, [.queued], lease: 7, into: store)
        try store.database.writeWithoutTransaction { database in
            try database.execute(sql: "UPDATE batches SET is_visible = 0")
        }
        #expect(try store.lease(of: BatchID(rawValue: 1)) == nil)
    }

    @Test("The jobs of a batch that haven't ended are found without reading those that have")
    func jobs() throws {
        let store = try open()
        try accept(1, [.cancelled, .queued, .failed, .paused], lease: 7, into: store)
        try accept(2, [.queued], lease: 7, into: store)
        #expect(try store.jobIDs(unfinishedOf: BatchID(rawValue: 1)).map(\.rawValue) == [11, 13])
        #expect(try store.jobIDs(unfinishedOf: BatchID(rawValue: 3)).isEmpty)
        let plan = try store.database.read { database in
            try Row.fetchAll(
                database,
                sql: "EXPLAIN QUERY PLAN \(JobStore.unfinishedJobsOfBatch)",
                arguments: [10, 19, 1]
            ).compactMap { $0["detail"] as String? }
        }
        #expect(plan.first?.contains("jobs_by_state (state=? AND rowid>? AND rowid<?)") == true, "\(plan)")
    }
}
