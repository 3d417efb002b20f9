import GRDB
import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Tests of what an engine is given of the jobs that wait, without reading each whole.
struct WaitingRowsTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func stored(
        _ id: Int64,
        content: String? = nil,
        _ change: (inout Job) -> Void = { _ in }
    ) throws -> Job {
        var job = try job(id)
        (job.state, job.path, job.detectionDeferred) = (.stored, "/d/\(id).jpg", true)
        job.sha256 = content ?? "\(1000 + id)" + String(repeating: "0", count: 60)
        change(&job)
        return job
    }

    private func filled(_ store: JobStore) throws -> (state: StoredState, waiting: WaitingJobs) {
        var waiting = WaitingJobs.empty(most: 1000)
        let state = try store.storedState(filling: &waiting)
        return (state, waiting)
    }

    @Test("Jobs that are alike are queued together, and each where it belongs")
    func queued() throws {
        let store = try open()
        let jobs = try (1...300).map { number in
            var job = try job(Int64(number))
            if number == 7 { job.priority = 3 }
            if number > 200 { job.options = JobOptions(source: "museum", weight: 4) }
            if number == 250 { job.url = try JobURL("https://other.example/250.jpg") }
            if number.isMultiple(of: 100) { job.state = .paused }
            return job
        }
        try accept(jobs, into: store)
        var (_, waiting) = try filled(store)
        #expect(waiting.transfers.queuedCount == 297)
        #expect(waiting.transfers.hostCount == 2 && waiting.transfers.flowCount == 3)
        #expect(waiting.transfers.next()?.rawValue == 7)
        var order: [Int64] = []
        while let job = waiting.transfers.next() {
            order.append(job.rawValue)
            waiting.transfers.release(job, at: 100_000)
        }
        let batch = order.filter { $0 <= 200 }
        let source = order.filter { $0 > 200 }
        #expect(batch == (1...199).filter { $0 != 7 && $0 != 100 })
        #expect(source == (201...299).map { $0 })
        #expect(order.firstIndex(of: 280).map { $0 < 110 } == true, "the source has four shares")
    }

    @Test("Documents wait with what they are compared by, and the others are read whole")
    func documents() throws {
        let store = try open()
        let twin = String(repeating: "ab", count: 32)
        let jobs = [
            try stored(1, content: twin),
            try stored(2, content: twin),
            try stored(3, content: twin) { $0.detectionDemand = DetectionDemand() },
            try stored(4) { $0.detectionDeferred = false },
            try stored(5) { $0.sha256 = nil },
            try stored(6) { $0.detectionAttempts = 1 },
            try stored(7) { $0.state = .detecting },
            try stored(8),
        ]
        try accept(jobs, into: store)
        var (state, waiting) = try filled(store)
        #expect(state.unfinished.map(\.id.rawValue) == [5, 7])
        #expect(waiting.untold.map(\.rawValue) == [4])
        #expect(waiting.documents.waitingCount == 7)
        var order: [Int64] = []
        while let job = waiting.documents.next() { order.append(job.rawValue) }
        #expect(order == [7, 1, 3, 4], "2 waits for 1, and 6 is looked at alone")
        for job in order { waiting.documents.finish(JobID(rawValue: job)) }
        #expect(waiting.documents.next()?.rawValue == 6)
        #expect(waiting.documents.next() == nil)
        waiting.documents.finish(JobID(rawValue: 6))
        #expect([waiting.documents.next(), waiting.documents.next()].map { $0?.rawValue } == [2, 8])
    }

    @Test(
        "A row of a document that makes no sense costs its job alone",
        arguments: ["path = NULL", "path = ''", "state = 'stores'"]
    )
    func broken(assignments: String) throws {
        let store = try open()
        try accept(try (1...3).map { try stored($0) }, into: store)
        try store.database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try database.execute(sql: "UPDATE jobs SET \(assignments) WHERE id = 2")
            try database.execute(sql: "PRAGMA ignore_check_constraints = OFF")
        }
        let (state, waiting) = try filled(store)
        #expect(state.broken.map(\.id.rawValue) == [2] && state.unfinished.isEmpty)
        #expect(state.jobsByState == [.stored: 2, .failed: 1])
        #expect(waiting.documents.waitingCount == 2)
        #expect(try store.storedState().broken.isEmpty, "it is set right once")
    }

    @Test(
        "Where the index of states is wrong it is made anew, and nothing is queued twice",
        arguments: [100, 280]
    )
    func wrongIndex(row: Int64) throws {
        do {
            let store = try open()
            try accept(try (1...300).map { $0 > 150 ? try stored($0) : try job($0) }, into: store)
            try store.close()
        }
        // Another state is written while SQLite doesn't know that there is an index.
        let file = try DatabaseQueue(path: directory.path("facefetch.sqlite"))
        try file.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA writable_schema = ON")
            let index = try #require(
                try Row.fetchOne(
                    database,
                    sql: """
                        SELECT rowid, type, name, tbl_name, rootpage, sql FROM sqlite_schema
                        WHERE name = 'jobs_by_state'
                        """
                )
            )
            try database.execute(sql: "DELETE FROM sqlite_schema WHERE name = 'jobs_by_state'")
            try database.execute(sql: "PRAGMA writable_schema = RESET")
            try database.execute(sql: "UPDATE jobs SET state = 'paused' WHERE id = ?", arguments: [row])
            try database.execute(sql: "PRAGMA writable_schema = ON")
            try database.execute(
                sql: """
                    INSERT INTO sqlite_schema (rowid, type, name, tbl_name, rootpage, sql)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: StatementArguments(Array(index.databaseValues))
            )
            try database.execute(sql: "PRAGMA writable_schema = RESET")
        }
        try file.close()
        let waiting = try open().waiting()
        #expect(waiting.transfers == (1...150).filter { $0 != row })
        #expect(waiting.documents == (151...300).filter { $0 != row })
        #expect(waiting.untold.isEmpty)
    }
}
