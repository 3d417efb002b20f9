import GRDB
import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Tests of which rows are read as resting jobs, and what becomes of them when they change together.
struct RestingRowsTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func ids(_ numbers: some Sequence<Int64>) -> [JobID] { numbers.map { JobID(rawValue: $0) } }

    private func change(_ assignments: String, _ job: Int64, in store: JobStore) throws {
        try store.database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try database.execute(sql: "UPDATE jobs SET \(assignments) WHERE id = \(job)")
            try database.execute(sql: "PRAGMA ignore_check_constraints = OFF")
        }
    }

    private func resting(
        _ store: JobStore,
        _ ids: [JobID],
        in states: [JobState],
        withoutPartials: Bool
    ) throws -> [RestingJob] {
        try store.restingJobs(ids, in: states, withoutPartials: withoutPartials, next: [])
    }

    private func changed(
        _ jobs: [RestingJob],
        by input: JobInput,
        after number: Int64 = 0
    ) throws -> StoreChanges {
        var context = JobContext(
            now: accepted.adding(seconds: 5),
            retry: RetryPolicy(),
            generator: SystemRandomNumberGenerator(),
            lastEnding: number
        )
        var resting = RestingChanges()
        for job in jobs {
            var machine = JobMachine(job: job.job)
            _ = machine.handle(input, in: &context)
            resting.append(try #require(RestingChange(from: job.job, to: machine.job)))
        }
        var changes = StoreChanges()
        changes.restingChanges = resting.all
        changes.lastEnding = context.lastEnding
        return changes
    }

    @Test("A resting job has the values of its row")
    func words() throws {
        let store = try open()
        var stored = try job(2)
        (stored.state, stored.path, stored.sha256) = (
            .stored, "/d/2.jpg", "0a" + String(repeating: "0", count: 62)
        )
        stored.detectionDeferred = true
        stored.options = JobOptions(source: "museum", weight: 3)
        stored.priority = 7
        try accept([try job(1), stored, try job(3)], into: store)
        let jobs = try resting(store, ids(1...3), in: [.queued, .stored], withoutPartials: true)
        #expect(jobs.map(\.id) == ids(1...3))
        #expect(jobs[0].host == "example.org:443" && jobs[0].name == "1.jpg" && !jobs[0].hasDocument)
        #expect(jobs[0].createdAt == accepted && jobs[0].flow == .batch(BatchID(rawValue: 1)))
        let second = jobs[1]
        #expect(second.hasDocument && second.isDeferred && second.mark == 0x0A00_0000)
        #expect(second.priority == 7 && second.flow == .source("museum") && second.weight == 3)
        #expect(
            try resting(store, ids([1, 3]), in: [.queued], withoutPartials: true).map(\.id) == ids([1, 3])
        )
        #expect(try resting(store, ids([1, 3]), in: [.paused], withoutPartials: true).isEmpty)
    }

    @Test(
        "A job of which more matters is not a resting job",
        arguments: [
            "waiting_until = 1, waiting_code = 'timed_out'", "error_code = 'x', error_message = ''",
            "reserved_name = 'a', reserved_inode = 1", "finished_at = 1", "fruitless_tries = 1",
            "struggled = 5",
            "is_held = 1", "is_evictable = 1", "detection_attempts = 1", "detection_demand = 'default'",
            "path = '/d', sha256 = 'ab'", "path = '', sha256 = ''", "name = 'a/b'", "state = 'nonsense'",
            "attempts = 1", "bytes = 5", "total_bytes = 5", "segments = ''",
            "entity_tag = 'x'",
        ]
    )
    func others(assignments: String) throws {
        let store = try open()
        try accept(try (1...3).map { try job($0) }, into: store)
        try change(assignments, 2, in: store)
        let jobs = try resting(store, ids(1...3), in: [.queued], withoutPartials: true)
        #expect(jobs.map(\.id) == ids([1, 3]))
    }

    @Test("Consecutive jobs are written together as each would be alone, with counts and ending numbers")
    func written() async throws {
        let store = try open()
        let jobs = try (1...10).map { number in
            var job = try job(Int64(number))
            job.options = JobOptions(headers: [try RequestHeader(name: "Authorization", value: "secret")])
            if number == 6 { job.attempts = 1 }
            return job
        }
        try accept(jobs, into: store)
        let paused = try resting(store, ids(1...4), in: [.queued], withoutPartials: false)
        try store.commit(try changed(paused, by: .pause))
        #expect(try store.storedState().jobsByState == [.paused: 4, .queued: 6])
        let cancelled = try resting(store, ids(3...10), in: [.queued, .paused], withoutPartials: true)
        #expect(cancelled.map(\.id) == ids([3, 4, 5, 7, 8, 9, 10]))
        try store.commit(try changed(cancelled, by: .cancel, after: 20))
        #expect(
            try await store.batch(BatchID(rawValue: 1))?.jobsByState == [
                .paused: 2, .queued: 1, .cancelled: 7,
            ]
        )
        let ended = try await store.endings(EndingQuery([.cancelled], endedAfter: 0, limit: 100)).items
        #expect(ended.map(\.number) == Array(21...27))
        #expect(ended.map(\.job.id) == ids([3, 4, 5, 7, 8, 9, 10]))
        for item in ended {
            var expected = jobs[Int(item.job.id.rawValue) - 1]
            expected.state = .cancelled
            expected.options.headers = []
            expected.finishedAt = accepted.adding(seconds: 5)
            expected.endings[.cancelled] = item.number
            #expect(try store.jobs([item.job.id]) == [expected])
        }
        #expect(try store.jobs(ids([1])).first?.headers.count == 1)
        #expect(try store.storedState().jobsByState == [.paused: 2, .queued: 1, .cancelled: 7])
    }

    @Test("Another update of such a job in the same transaction comes afterwards")
    func both() throws {
        let store = try open()
        try accept(try (1...3).map { try job($0) }, into: store)
        var changes = try changed(
            try resting(store, ids(1...3), in: [.queued], withoutPartials: true),
            by: .pause
        )
        // It was read before the change, and goes on in its state of then.
        changes.changedJobs = try store.jobs(ids([2]))
        try store.commit(changes)
        #expect(try store.jobs(ids(1...3)).map(\.state) == [.paused, .queued, .paused])
        #expect(try store.storedState().jobsByState == [.paused: 2, .queued: 1])
    }

    @Test(
        "A damaged row keeps none of its neighbours from being changed",
        arguments: ["url = x'00'", "bytes = 'x'"]
    )
    func damaged(assignments: String) throws {
        try accept(try (1...5).map { try job($0) }, into: try open())
        let file = try DatabaseQueue(path: directory.path("facefetch.sqlite"))
        try file.writeWithoutTransaction { try $0.damageJob(3, assignments) }
        try file.close()
        let store = try open()
        let jobs = try resting(store, ids(1...5), in: [.queued], withoutPartials: false)
        try store.commit(try changed(jobs, by: .pause))
        #expect(try store.jobs(ids(1...5)).map(\.state) == Array(repeating: .paused, count: 5))
        #expect(try store.storedState().jobsByState == [.paused: 5])
    }

    @Test("Of what was read ahead, nothing is given that was written or forgotten in the meantime")
    func ahead() throws {
        let store = try open()
        try accept(try (1...12).map { try job($0) }, into: store)
        func found(
            _ range: ClosedRange<Int64>,
            _ states: [JobState] = [.queued],
            withoutPartials: Bool = false,
            next: ClosedRange<Int64>? = nil
        ) throws -> [Int64] {
            try store.restingJobs(
                ids(range),
                in: states,
                withoutPartials: withoutPartials,
                next: next.map { ids($0)[...] } ?? []
            ).map(\.id.rawValue)
        }
        #expect(try found(1...3, next: 4...9) == [1, 2, 3])
        let jobs = try store.jobs(ids(4...7))
        let together = try (jobs[0...1]).map { job in
            var paused = job
            paused.state = .paused
            return try #require(RestingChange(from: job, to: paused))
        }
        var changes = StoreChanges()
        changes.restingChanges = together
        var failed = jobs[2]
        (failed.state, failed.failure) = (.failed, JobFailure(.storageError, "x"))
        changes.changedJobs = [failed]
        changes.forgottenJobs = [jobs[3].id]
        try store.commit(changes)
        // The first and the last of them were not asked for, or not read.
        #expect(try found(5...9, next: 10...12) == [8, 9])
        // Other states, and other jobs, are read when they are asked for.
        #expect(try found(4...6, [.paused], next: 10...12) == [4, 5])
        #expect(try found(10...12, [.paused, .queued], next: 10...11) == [10, 11, 12])
        #expect(try found(10...12, [.paused, .queued]) == [10, 11, 12])
        #expect(try found(10...12, [.queued], withoutPartials: true, next: 1...3) == [10, 11, 12])
        #expect(try found(1...3, [.queued], withoutPartials: true) == [1, 2, 3])
    }

    @Test("Rows that were read as a list stay known while they are being written")
    func known() {
        var rows = KnownRows()
        for number in Int64(1)...2000 { rows[JobID(rawValue: number)] = .read([]) }
        for number in Int64(1)...2000 {
            #expect(rows[JobID(rawValue: number)] != nil)
            rows[JobID(rawValue: number)] = .read([])
        }
    }
}
