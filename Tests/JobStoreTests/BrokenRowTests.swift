import GRDB
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Rows that no facefetch wrote: damage, or what a later version finds wrong.
struct BrokenRowTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A store of three queued jobs, whose second row is then changed behind its back.
    private func store(changed assignments: String) throws -> JobStore {
        let store = try open()
        try accept(try (1...3).map { try job($0) }, into: store)
        try store.database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try database.execute(sql: "UPDATE jobs SET \(assignments) WHERE id = 2")
            try database.execute(sql: "PRAGMA ignore_check_constraints = OFF")
        }
        return store
    }

    private var path: String { directory.path("facefetch.sqlite") }
    private let first = BatchID(rawValue: 1)
    private let second = JobID(rawValue: 2)

    private func page(_ store: JobStore) async throws -> [Job] {
        try await store.jobs(JobFilter(), after: nil, limit: 10).items
    }

    @Test("Numbers of a result that are none, or endless, are left out or nothing")
    func endlessNumbers() async throws {
        let store = try store(
            changed: """
                state = 'done', path = '/d/a.jpg', sha256 = 'ab', finished_at = 1, detection_outcome = 'counted',
                detection_engine = 'haar', detection_parameters = '', detection_seconds = 9e999,
                detection_faces = '1,2,3,4,inf;1,2,3,4,nan;1e300,2,3,4,5;1,2,3,4,5', detection_attempts = -7,
                document_mark = 'nonsense'
                """
        )
        let job = try #require(try store.jobs([second]).first)
        #expect(job.detection?.seconds == 0)
        #expect(job.detection?.faces == [Face(x: 1, y: 2, width: 3, height: 4, confidence: 5)])
        #expect(job.detectionAttempts == 0)
        #expect(job.documentMark == nil)
    }

    @Test(
        "A URL that can't be read is kept, and shown to nobody; its job is listed beside the others",
        arguments: ["", "no URL: s3cret", "https://user:s3cret@", "ftp://example.org/", "https://[::1"]
    )
    func unreadableURL(text: String) async throws {
        let store = try store(changed: "url = '\(text)'")
        let state = try store.storedState()
        #expect(try store.waiting().transfers.count == 3)
        #expect(state.broken.isEmpty)
        let jobs = try await page(store)
        #expect(jobs.map(\.id.rawValue) == [1, 2, 3])
        #expect(jobs.map(\.url.isReadable) == [true, false, true])
        #expect(jobs[1].url.masked == "unreadable:url")
        #expect(jobs[1].name == "2.jpg")
        var changes = StoreChanges()
        changes.changedJobs = [jobs[1]]
        try store.commit(changes)
        #expect(try store.jobs([second]).first?.url.text == text)
    }

    @Test(
        "A row that lacks what its state needs has failed: at the next start once, and as it is read before",
        arguments: [
            "state = 'nonsense'", "state = ''", "state = 'waiting'", "state = 'stored'",
            "state = 'detecting'",
            "state = 'downloadinh', priority = 1000, bytes = -1, name = '', logged_steps = 99, rate_limit = 0",
        ]
    )
    func unknownState(assignments: String) async throws {
        let store = try store(changed: assignments)
        let before = try await page(store)
        #expect(before.map(\.state) == [.queued, .failed, .queued])
        #expect(before[1].failure?.code == .storageError)
        let state = try store.storedState()
        #expect(state.broken.map(\.id) == [second])
        #expect(state.unfinished.isEmpty)
        #expect(try store.waiting().transfers == [1, 3])
        #expect(state.jobsByState == [.queued: 2, .failed: 1])
        #expect(try await store.batch(first)?.jobsByState == [.queued: 2, .failed: 1])
        #expect(try await page(store) == before)
        #expect(try store.storedState().broken.isEmpty, "it is set right once")
        let failed = try await store.jobs(JobFilter(state: .failed, batch: first), after: nil, limit: 10)
        #expect(failed.items.map(\.id) == [second] && failed.total == 1)
    }

    @Test("A job that has failed and does not say why is listed, with a reason")
    func failedWithoutReason() async throws {
        let store = try store(changed: "state = 'failed'")
        #expect(try store.storedState().broken.isEmpty)
        #expect(try await store.job(second)?.failure?.code == .storageError)
    }

    @Test("What is kept under an impossible name is still found again at the next start")
    func brokenReservation() throws {
        let store = try store(
            changed: "state = 'x', reserved_name = 'a.jpg', reserved_inode = 7, sha256 = 'ff'"
        )
        let state = try store.storedState()
        #expect(state.broken.map(\.id) == [second])
        #expect(state.unfinished.first?.reservation?.name == "a.jpg")
    }

    @Test(
        "What is to be known of a job is nothing where it is no object any more",
        arguments: ["{", "{}x", "[]", "nonsense", "", "{\"a\":1,}", "{\"a\":\u{1}}"]
    )
    func brokenMeta(text: String) async throws {
        let store = try store(changed: "priority = 0")
        try await store.database.write {
            try $0.execute(sql: "UPDATE jobs SET meta = ?, ended_done = -1", arguments: [text])
        }
        #expect(try await page(store).allSatisfy { $0.meta == nil && $0.endings == JobEndings() })
        #expect(try store.jobs([second]).first?.meta == nil)
    }

    @Test("Impossible numbers are read as possible ones")
    func impossibleNumbers() async throws {
        let store = try store(
            changed: """
                finished_at = 9223372036854775807, struggled = -9223372036854775807,
                detection_outcome = 'counted', detection_faces = '1e300,0,nan,inf,1;1,2,3,4,0.5',
                segments = '5-1', headers = 'nonsense'
                """
        )
        try await store.database.write { try $0.execute(sql: "UPDATE batches SET created_at = \(Int64.max)") }
        let job = try #require(try await store.job(second))
        #expect(job.finishedAt?.wall.rfc3339 == "9999-12-31T23:59:59.999Z")
        #expect(job.struggled == 0)
        #expect(job.createdAt.wall.rfc3339 == "9999-12-31T23:59:59.999Z")
        #expect(job.detection?.faces == [Face(x: 1, y: 2, width: 3, height: 4, confidence: 0.5)])
        #expect(job.segments == SegmentMap())
        #expect(job.headers.isEmpty)
    }

    @Test("Events that can't be read keep their numbers, and cost no others")
    func brokenEvents() async throws {
        let store = try store(changed: "priority = 0")
        try await store.database.write { database in
            for (id, body) in [
                (1, "progressed\tn\t-9223372036854775807\t9223372036854775807"), (2, "nonsense"),
                (3, "paused\tn"),
                (4, "-9223372036854775808\tpaused\tn"),
            ] {
                try database.execute(
                    sql: "INSERT INTO events VALUES (?, 1, ?, 1, 2, ?, NULL)",
                    arguments: [id, accepted.wall.microseconds, body]
                )
            }
        }
        let events = try await store.events(after: 0, limit: 10, batch: nil)
        #expect(events.map(\.id).suffix(2) == [3, 4])
        #expect(events.allSatisfy { $0.time.wall.rfc3339.count == 24 })
    }

    @Test("Broken rows are no reason to set the store aside, however closely it is looked at")
    func integrityCheck() throws {
        do {
            let store = try store(changed: "state = 'nonsense', priority = 1000")
            try store.close()
        }
        let opened = try JobStore(path: path, check: .whole)
        #expect(try opened.storedState().broken.map(\.id) == [second])
    }
}
