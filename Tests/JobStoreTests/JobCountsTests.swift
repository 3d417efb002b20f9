import GRDB
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// The numbers that are kept are those that counting would give.
struct JobCountsTests {
    private let directory: TemporaryDirectory
    private let accepted = Moment(microseconds: 1_795_243_503_611_000)

    init() throws { directory = try TemporaryDirectory() }

    private func job(_ id: Int64, batch: Int64) throws -> Job {
        Job(
            id: JobID(rawValue: id),
            batch: BatchID(rawValue: batch),
            createdAt: accepted,
            url: try JobURL("https://example.org/\(id).jpg"),
            name: "\(id).jpg"
        )
    }

    private func newBatch(_ id: Int64, _ jobs: ClosedRange<Int64>, isVisible: Bool) -> StoreChanges.NewBatch {
        StoreChanges.NewBatch(
            id: BatchID(rawValue: id),
            createdAt: accepted,
            submittedBy: nil,
            jobs: JobID(rawValue: jobs.lowerBound)...JobID(rawValue: jobs.upperBound),
            isVisible: isVisible
        )
    }

    /// Returns the counts of one batch or of all that can be seen.
    private func counted(_ batch: Int64?, _ store: JobStore) throws -> [JobState: Int] {
        try store.database.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT state, count(*) FROM jobs JOIN batches ON batches.id = jobs.batch
                    WHERE is_visible AND (?1 IS NULL OR batch = ?1) GROUP BY state
                    """,
                arguments: [batch]
            )
            var numbers: [JobState: Int] = [:]
            for row in rows {
                if let state = JobState(rawValue: row[0]) { numbers[state] = row[1] }
            }
            return numbers
        }
    }

    private func kept(_ batch: Int64?, _ store: JobStore) throws -> [JobState: Int] {
        try store.database.read { try JobCounts.read(batch.map(BatchID.init(rawValue:)), $0) }
    }

    @Test("Whatever happens to jobs, seen or not yet, remembered or not, refused or not", arguments: 1...4)
    func agreement(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let store = try JobStore(path: directory.path("facefetch.sqlite"))
        var jobs = try (1...3000).map { try job(Int64($0), batch: $0 <= 1500 ? 1 : 2) }
        var changes = StoreChanges()
        changes.newBatches = [
            newBatch(1, 1...1500, isVisible: true), newBatch(2, 1501...3000, isVisible: false),
        ]
        changes.newJobs = Array(jobs[..<2500])
        try store.commit(changes)
        #expect(try kept(nil, store) == [.queued: 1500])
        changes = StoreChanges()
        changes.newJobs = Array(jobs[2500...])
        changes.revealedBatches = [BatchID(rawValue: 2)]
        jobs[1600].state = .paused
        changes.changedJobs = [jobs[1600]]
        try store.commit(changes)
        for turn in 1...40 {
            var turnJobs = jobs
            let changed = Set((0..<60).map { _ in Int.random(in: 0..<3000, using: &generator) })
            for index in changed {
                turnJobs[index].state =
                    [.queued, .downloading, .paused, .cancelled].randomElement(using: &generator) ?? .queued
                turnJobs[index].attempts += 1
            }
            changes = StoreChanges()
            changes.changedJobs = changed.map { turnJobs[$0] }
            if turn.isMultiple(of: 7) {
                changes.changedJobs.append(turnJobs[0])
                changes.changedJobs[changes.changedJobs.count - 1].priority = 1000
                #expect(throws: StoreFailure.self) { try store.commit(changes) }
            } else {
                try store.commit(changes)
                jobs = turnJobs
            }
        }
        for batch in [nil, 1, 2] as [Int64?] { #expect(try kept(batch, store) == counted(batch, store)) }
        #expect(try kept(nil, store).values.reduce(0, +) == 3000)
    }
}
