import GRDB
import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

extension WaitingJobs {
    /// Empty queues that give so many jobs out at once.
    static func empty(most: Int) -> WaitingJobs {
        WaitingJobs(
            transfers: TransferQueue(limits: .init(total: most, perHost: most)),
            documents: DetectionGate(isOpen: true, capacity: most)
        )
    }
}

extension JobStore {
    /// The state from which an engine would start, without the jobs that only wait.
    func storedState() throws(StoreFailure) -> StoredState {
        var waiting = WaitingJobs.empty(most: 1)
        return try storedState(filling: &waiting)
    }

    /// The jobs with which an engine would start that only wait, in their order.
    func waiting() throws(StoreFailure) -> (transfers: [Int64], documents: [Int64], untold: [Int64]) {
        var waiting = WaitingJobs.empty(most: 1000)
        _ = try storedState(filling: &waiting)
        var (transfers, documents): ([Int64], [Int64]) = ([], [])
        while let job = waiting.transfers.next() { transfers.append(job.rawValue) }
        while let job = waiting.documents.next() { documents.append(job.rawValue) }
        return (transfers, documents, waiting.untold.map(\.rawValue))
    }
}

extension Database {
    /// Plants damage in a job's row: writes what the table's types and conditions don't allow.
    func damageJob(_ job: Int64, _ assignments: String) throws {
        let sql = try #require(
            try String.fetchOne(self, sql: "SELECT sql FROM sqlite_schema WHERE name = 'jobs'")
        )
        // A table that isn't strict takes values of any type.
        try setSQLOfJobs(sql.replacing(/\)\s*STRICT/, with: ")"))
        try execute(sql: "PRAGMA ignore_check_constraints = ON")
        try execute(sql: "UPDATE jobs SET \(assignments) WHERE id = \(job)")
        try execute(sql: "PRAGMA ignore_check_constraints = OFF")
        try setSQLOfJobs(sql)
    }

    private func setSQLOfJobs(_ sql: String) throws {
        try execute(sql: "PRAGMA writable_schema = ON")
        try execute(sql: "UPDATE sqlite_schema SET sql = ? WHERE name = 'jobs'", arguments: [sql])
        try execute(sql: "PRAGMA writable_schema = RESET")
    }
}

/// Tests of a store in a directory of their own.
protocol StoreSuite {
    var directory: TemporaryDirectory { get }
}

extension StoreSuite {
    var path: String { directory.path("facefetch.sqlite") }

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

    /// Changes what is in the store's tables as damage would, whatever types and constraints they have.
    func damage(_ sql: String) throws {
        let database = try DatabaseQueue(path: path)
        try database.writeWithoutTransaction { database in
            let schema = try Row.fetchAll(database, sql: "SELECT rowid, sql FROM sqlite_schema")
            try database.execute(sql: "PRAGMA writable_schema = ON")
            try database.execute(
                sql: """
                    UPDATE sqlite_schema SET sql = replace(replace(replace(replace(sql, ' STRICT', ''),
                        ' IS NOT NULL', ' NOTNULL'), ' NOT NULL', ''), ' NOTNULL', ' IS NOT NULL')
                    WHERE type = 'table' AND name IN ('jobs', 'batches', 'events')
                    """
            )
            try database.execute(sql: "PRAGMA writable_schema = RESET")
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            try database.execute(sql: sql)
            try database.execute(sql: "PRAGMA writable_schema = ON")
            for row in schema {
                try database.execute(
                    sql: "UPDATE sqlite_schema SET sql = ? WHERE rowid = ?",
                    arguments: [row[1] as String?, row[0] as Int64]
                )
            }
            try database.execute(sql: "PRAGMA writable_schema = RESET")
        }
        try database.close()
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
