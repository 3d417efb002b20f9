import Foundation
import GRDB
import JobCore
import TestSupport
import Testing

@testable import JobEngine
@testable import JobStore

/// Nonsense in any column of any table costs at most the row that it is in.
struct DamagedRowTests {
    /// What damage may make of a value, in SQL.
    private static let nonsense = [
        "NULL", "0", "-1", "9223372036854775807", "-9223372036854775808", "1e300", "'nonsense'", "''",
        "x'FF00C3'", "CAST(x'C328FF' AS TEXT)", "'9999-12-31'", "'{\"a\":[}'",
    ]

    /// A store in which much has happened: jobs 1 to 12, in three batches of four.
    private static func make(at path: String) throws {
        let harness = try EngineHarness(configuration, path: path)
        for batch in 0..<3 {
            let urls = (1...4).map { "http://example.org/\(batch * 4 + $0).jpg" }
            _ = try harness.submit(urls, key: .init(key: "key \(batch)", bodyDigest: "digest"))
        }
        for job in [1, 2] as [Int64] {
            try harness.download(job)
            try harness.turn(
                .detected(JobID(rawValue: job), DetectionResult(outcome: .counted, engine: "haar"))
            )
        }
        // 3 waits, 4 has failed, 5 is paused; the others are on their way, or in the queue.
        let failure = JobFailure(.connectFailed, "nobody answers")
        try harness.report(3, .ended(.interrupted(failure, retryAfter: 3600)))
        try harness.report(4, .ended(.refused(failure)))
        _ = try harness.steer(.pause, 5)
        for isOpen in [false, true] { try harness.turn(.setGate(open: isOpen, reply: { _ in })) }
        try harness.untilWritten()
        try harness.core.settle(now: harness.now)
        var changes = StoreChanges()
        changes.clock = StoredClock(boot: "one", ahead: 1, moment: harness.now)
        try harness.store.real.commit(changes)
        try harness.store.real.close()
    }

    private static let configuration = JobEngineConfiguration(transfers: .init(total: 4, perHost: 4))

    private struct Place: CustomStringConvertible {
        var table: String
        var column: String
        var row: Int64
        /// Whether it is the disk that changed the value: no index is told then.
        var isOnDisk: Bool
        var description: String { "\(table).\(column) of row \(row)\(isOnDisk ? ", on the disk" : "")" }
    }

    /// A table as its schema has it.
    private struct Table {
        var name: String
        var columns: [String]
        /// Columns that an index has, or goes by.
        var indexed: Set<String>
        /// What makes a table of the same layout whose columns take anything.
        var loose: String
        /// The same without the indexes that SQLite makes by itself.
        var looseAndBare: String

        static func all(_ path: String) throws -> [Table] {
            try DatabaseQueue(path: path).read { database in
                try String.fetchAll(
                    database,
                    sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
                ).map { try Table($0, database) }
            }
        }

        private init(_ name: String, _ database: Database) throws {
            self.name = name
            columns = try database.columns(in: name).map(\.name)
            let key = try database.primaryKey(name)
            let unique = try database.indexes(on: name).filter { $0.isUnique }.flatMap(\.columns)
            let sql = try String.fetchAll(
                database,
                sql: """
                    SELECT sql FROM sqlite_schema
                    WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL
                    """,
                arguments: [name]
            ).joined()
            indexed = Set(columns.filter { sql.contains($0) } + unique).subtracting([key.rowIDColumn ?? ""])
            let names = columns.map { $0 == key.rowIDColumn ? "\($0) INTEGER PRIMARY KEY" : $0 }
            let schema = try String.fetchOne(
                database,
                sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?",
                arguments: [name]
            )
            if schema?.contains("WITHOUT ROWID") == false {
                let constraints = unique.map { "UNIQUE (\($0))" }
                loose = "CREATE TABLE \(name) (\((names + constraints).joined(separator: ", ")))"
                looseAndBare = "CREATE TABLE \(name) (\(names.joined(separator: ", ")))"
            } else {
                let primary = "PRIMARY KEY (\(key.columns.joined(separator: ", ")))"
                loose = "CREATE TABLE \(name) (\((names + [primary]).joined(separator: ", "))) WITHOUT ROWID"
                looseAndBare = loose
                indexed = []
            }
        }
    }

    /// Puts a value where no statement of ours could: while the table has neither types nor constraints,
    /// and, where the disk is to blame, no indexes.
    private static func plant(
        _ value: String,
        _ place: Place,
        of table: Table,
        in path: String
    ) throws -> Bool {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let database = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? database.close() }
        return try database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA writable_schema = ON")
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT rowid, type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE tbl_name = ?
                    """,
                arguments: [table.name]
            )
            try database.execute(
                sql: "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
                arguments: [place.isOnDisk ? table.looseAndBare : table.loose, table.name]
            )
            if place.isOnDisk {
                try database.execute(
                    sql: "DELETE FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?",
                    arguments: [table.name]
                )
            }
            try database.execute(sql: "PRAGMA writable_schema = RESET")
            var isPlanted = false
            do {
                try database.execute(
                    sql: "UPDATE \(table.name) SET \(place.column) = \(value) WHERE \(condition(place))"
                )
                isPlanted = database.changesCount == 1
            } catch {
                // A key that another row has already, or NULL: there is no such damage.
            }
            try database.execute(sql: "PRAGMA writable_schema = ON")
            try database.execute(sql: "DELETE FROM sqlite_schema WHERE tbl_name = ?", arguments: [table.name])
            for row in rows {
                try database.execute(
                    sql: """
                        INSERT INTO sqlite_schema (rowid, type, name, tbl_name, rootpage, sql)
                        VALUES (?, ?, ?, ?, ?, ?)
                        """,
                    arguments: StatementArguments(Array(row.databaseValues))
                )
            }
            try database.execute(sql: "PRAGMA writable_schema = RESET")
            return isPlanted
        }
    }

    /// Which row of a table is damaged; those without rowids are few.
    private static func condition(_ place: Place) -> String {
        switch place.table {
        case "job_counts":
            """
            (batch, state) = (SELECT batch, state FROM job_counts ORDER BY batch, state
                LIMIT 1 OFFSET \(2 * place.row))
            """
        case "switches": "name = 'detection_gate'"
        default: "rowid = (SELECT rowid FROM \(place.table) ORDER BY rowid LIMIT 1 OFFSET \(place.row))"
        }
    }

    /// Whether every value is planted everywhere, which takes minutes, instead of some of them.
    private static let isAll = ProcessInfo.processInfo.environment["FACEFETCH_DAMAGE"] == "all"

    @Test(
        "Any value of any row",
        arguments: [
            "jobs", "batches", "events", "job_counts", "switches", "clock", "numbers", "identity",
            "grdb_migrations",
        ]
    )
    func anyValue(name: String) async throws {
        // Where a sync costs nothing, since there are hundreds of stores.
        let directory = try TemporaryDirectory(in: "/dev/shm")
        let whole = directory.path("whole.sqlite")
        try Self.make(at: whole)
        let tables = try Table.all(whole)
        #expect(
            Set(tables.map(\.name)) == [
                "jobs", "batches", "events", "job_counts", "switches", "clock", "numbers", "identity",
                "grdb_migrations",
            ]
        )
        let table = try #require(tables.first { $0.name == name })
        let rows: [Int64] =
            switch name {
            case "jobs": [0, 2, 5, 6]  // done, waiting, fetched when the daemon ended, queued or so
            case "batches", "job_counts": [0, 1, 2]
            case "events": [0, 5, Int64(try Self.history(whole).rows.count) - 1]
            case "grdb_migrations": [0, 3, 6]
            default: [0]
            }
        let isThorough = Self.isAll || name == "grdb_migrations"
        // The name of another is one bit away.
        let values = name == "grdb_migrations" ? Self.nonsense + ["'v2'"] : Self.nonsense
        let history = try Self.history(whole)
        #expect(history.rows.count > 6)
        let path = directory.path("damaged.sqlite")
        var (turn, tried, planted) = (0, 0, 0)
        for (number, row) in rows.enumerated() {
            for (offset, column) in table.columns.enumerated()
            where isThorough || offset % rows.count == number {
                for isOnDisk in table.indexed.contains(column) ? [false, true] : [false] {
                    turn += 1
                    let place = Place(table: name, column: column, row: row, isOnDisk: isOnDisk)
                    for (index, value) in values.enumerated()
                    where isThorough || (index + turn) % 6 == 0 {
                        try Self.copy(whole, to: path)
                        tried += 1
                        guard try Self.plant(value, place, of: table, in: path) else { continue }
                        planted += 1
                        do {
                            try await Self.check(
                                path,
                                damaged: name == "jobs" ? row + 1 : nil,
                                history: name == "events" ? history.without(row) : history,
                                "\(place) = \(value)"
                            )
                        } catch {
                            Issue.record("\(place) = \(value): \(error)")
                        }
                    }
                }
            }
        }
        #expect(planted * 2 >= tried, "\(planted) of \(tried) were planted")
    }

    private static func copy(_ whole: String, to path: String) throws {
        for suffix in ["", "-wal", "-shm", "-reserve"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
        try FileManager.default.copyItem(atPath: whole, toPath: path)
    }

    /// What is kept of the past, by the rows that have it.
    private struct History {
        var rows: [[Int64: JobEvent.Kind]]

        func without(_ row: Int64) -> History {
            var history = self
            history.rows.remove(at: Int(row))
            return history
        }
    }

    private static func history(_ path: String) throws -> History {
        let store = try JobStore(path: path)
        defer { try? store.close() }
        let rows = try store.database.read {
            try Row.fetchAll($0, sql: "SELECT id, count FROM events ORDER BY id")
        }
        return History(
            rows: try rows.map { row in
                let (last, count): (Int64, Int64) = (row[0], row[1])
                let events = try store.keptEvents(after: last - count, limit: 1)
                #expect(events.count == Int(count))
                return Dictionary(uniqueKeysWithValues: events.map { ($0.id, $0.kind) })
            }
        )
    }

    /// Starts an engine over a damaged store, and has every other job go on to its end.
    private static func check(
        _ path: String,
        damaged: Int64?,
        history: History,
        _ what: String
    ) async throws {
        // Of a row that makes no sense, things may be told that can't have happened.
        let harness = try EngineHarness(configuration, path: path) { _ in }
        defer { try? harness.store.real.close() }
        let store = harness.store.real
        try harness.turn()
        let others: [Int64] = (1...12).filter { $0 != damaged }
        let expected: [Int64: JobState] = [1: .done, 2: .done, 3: .waiting, 4: .failed, 5: .paused]
        for job in others {
            let found = try #require(try harness.stored(job), "job \(job), \(what)")
            if let state = expected[job] {
                #expect(found.state == state, "job \(job), \(what)")
            } else {
                #expect([.queued, .downloading].contains(found.state), "job \(job), \(what)")
            }
            #expect(found.url.text == "http://example.org/\(job).jpg", "\(what)")
            #expect(try await store.job(JobID(rawValue: job)) != nil, "\(what)")
        }
        #expect(try harness.steer(.resume, 5).get().state != .paused || damaged == 5, "\(what)")
        // Whatever has a permit is fetched, until nothing is left.
        var isDone = false
        for _ in 0..<100 where !isDone {
            let under = Set(harness.outside.all.started.map(\.job.rawValue)).sorted()
            harness.outside.change { $0.started = [] }
            for job in under where job != damaged { try harness.download(job) }
            if let damaged, under.contains(damaged) { _ = try harness.steer(.cancel, damaged) }
            let looking = harness.outside.all.detecting
            harness.outside.change { $0.detecting = [] }
            isDone = under.isEmpty && looking.isEmpty
            for job in looking {
                try harness.turn(.detected(job, DetectionResult(outcome: .counted, engine: "haar")))
            }
        }
        #expect(isDone, "\(what)")
        try harness.untilWritten()
        for job in others where ![3, 4].contains(job) {
            let state = try harness.stored(job)?.state
            #expect(state == .done || state == .stored, "job \(job), \(what)")
        }
        // New work is taken in, and everything can be listed.
        let batch = try harness.submit(["http://example.org/new.jpg"]).get()
        #expect(try await store.batch(batch.batch.id)?.jobCount == 1, "\(what)")
        let page = try await store.jobs(JobFilter(), after: nil, limit: 100)
        #expect(Set(page.items.map(\.id.rawValue)).isSuperset(of: others), "\(what)")
        _ = try await store.jobs(JobFilter(text: "example"), after: nil, limit: 100)
        for item in page.items { _ = try await store.batch(item.batch) }
        // Who reads on from any number finds what has ended since, with numbers that go on growing.
        let query = EndingQuery(Set(JobEnding.allCases), endedAfter: 0, limit: 1000)
        let endings = try await store.endings(query).items
        #expect(endings.map(\.number) == endings.map(\.number).sorted(), "\(what)")
        for job in others where ![3, 5].contains(job) {
            let last = endings.last { $0.job.id.rawValue == job }
            #expect(last?.ending == (job == 4 ? .failed : .done), "job \(job), \(what)")
        }
        let cursor = try #require(endings.last?.number, "\(what)")
        let more = try #require(batch.jobs.first)
        _ = try harness.steer(.cancel, more.rawValue)
        let next = try await store.endings(EndingQuery(endedAfter: cursor, limit: 10)).items
        #expect(next.map(\.job.id) == [more], "\(what)")
        _ = try await store.batches(after: nil, limit: 100)
        let events = try await store.events(after: 0, limit: 10_000, batch: nil)
        let kinds = Dictionary(events.map { ($0.id, $0.kind) }) { first, _ in first }
        for row in history.rows {
            for (id, kind) in row { #expect(kinds[id] == kind, "event \(id), \(what)") }
        }
        _ = try store.latestEvents(limit: 100)
        _ = try store.storedClock()
        _ = try await store.eventRange()
        _ = try await store.lastEvent(before: harness.now.wall)
        _ = try harness.submit(["http://example.org/1.jpg"], key: .init(key: "key 1", bodyDigest: "digest"))
        // The numbers are those that counting gives.
        let stored = harness.core.status.jobsByState.values.reduce(0, +)
        let counted = try await store.database.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM jobs") ?? 0
        }
        #expect(stored == counted, "\(what)")
        try harness.restart()
        let state = try store.storedState()
        #expect(state.broken.isEmpty, "\(what)")
        #expect(state.jobsByState.values.reduce(0, +) == counted, "\(what)")
    }
}
