import Foundation
import GRDB
import Glibc
import JobModel
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// The store's files: older and newer ones, damaged ones, and who may read them.
struct StoreFilesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var path: String { directory.path("facefetch.sqlite") }

    @Test("Migrations keep their names, by which a store knows which it has had")
    func migrations() {
        let names = (1...21).map { "v\($0)" } + ["detection-reason", "told-of-shortages"]
        #expect(Array(Schema.migrator.migrations.prefix(names.count)) == names)
    }

    /// A store of so many jobs, closed, as the first version wrote it.
    private func makeStore(jobs: Int, version: String? = nil) throws {
        let pool = try DatabasePool(path: path)
        try Schema.migrator.migrate(pool, upTo: version ?? Schema.migrator.migrations[0])
        try pool.write { database in
            try database.execute(
                sql: "INSERT INTO batches (id, created_at, job_count, is_visible) VALUES (1, 0, ?, 1)",
                arguments: [jobs]
            )
            try database.execute(
                sql: """
                    WITH RECURSIVE numbers (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM numbers WHERE id < ?)
                    INSERT INTO jobs (id, batch, url, host, state, name, has_given_name, priority, bytes,
                        length_unproven, logged_steps, logged_bytes, durable_bytes, told_of_full_disk,
                        has_started, has_finished, attempts, fruitless_tries, detection_deferred)
                    SELECT id, 1, 'http://e.org/' || id, 'e.org:80', 'queued', 'n' || id, 0, 0, 0, 0, 0, 0, 0,
                        0, 0, 0, 0, 0, 0 FROM numbers
                    """,
                arguments: [jobs]
            )
        }
        try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try pool.close()
    }

    private func change(_ body: (inout [UInt8]) -> Void) throws {
        var bytes = try directory.read("facefetch.sqlite")
        body(&bytes)
        try directory.write(bytes, to: "facefetch.sqlite")
    }

    private func isCorrupt(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            if case .corrupt = error as? JobStoreError { return true }
            Issue.record("\(error)")
            return false
        }
    }

    @Test("An older store is migrated, and a copy of it is kept as it was")
    func migrates() async throws {
        try makeStore(jobs: 3)
        do {
            let store = try JobStore(path: path)
            let job = try #require(try await store.job(JobID(rawValue: 2)))
            #expect(job.url.text == "http://e.org/2" && job.headers.isEmpty && job.rateLimit == nil)
            try store.close()
        }
        let copies = try directory.names().filter { $0.hasPrefix("facefetch.sqlite.") }
        #expect(copies.count == 1)
        let copy = try #require(copies.first)
        #expect(copy.wholeMatch(of: /facefetch\.sqlite\.v1-\d{8}T\d{6}Z/) != nil)
        let old = try DatabaseQueue(path: directory.path(copy))
        let count = try await old.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM jobs") }
        let columns = try await old.read { try $0.columns(in: "jobs").map(\.name) }
        #expect(count == 3 && !columns.contains("rate_limit"))
        // Nothing is left to migrate: no second copy.
        try JobStore(path: path).close()
        #expect(try directory.names().filter { $0.hasPrefix("facefetch.sqlite.") } == copies)
    }

    @Test("A new store needs no copy")
    func new() throws {
        try JobStore(path: path).close()
        #expect(try directory.names().contains { $0.hasPrefix("facefetch.sqlite.") } == false)
    }

    @Test("Only its owner can read it, and the copy")
    func modes() throws {
        try makeStore(jobs: 1)
        chmod(path, 0o644)
        let store = try JobStore(path: path)
        try store.commit(StoreChanges())
        for name in try directory.names() {
            var status = stat()
            #expect(stat(directory.path(name), &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
        try store.close()
    }

    @Test("The copy is nobody else's to read while it is made, either")
    func modeOfCopyInTheMaking() async throws {
        try makeStore(jobs: 5000)
        let draft = path + ".copy-incomplete"
        let isDone = Atomic(false)
        async let widest = {
            var widest: mode_t = 0
            while !isDone.load(ordering: .acquiring) {
                var status = stat()
                if stat(draft, &status) == 0 { widest |= status.st_mode & 0o777 }
                await Task.yield()
            }
            return widest
        }()
        try JobStore(path: path).close()
        isDone.store(true, ordering: .releasing)
        #expect(await widest & 0o077 == 0)
    }

    @Test("Of the copies the newest two stay, and nothing else goes")
    func twoCopies() throws {
        try makeStore(jobs: 1)
        let others = [
            "facefetch.sqlite.damaged-20200101T000000Z", "facefetch.sqlite.v1-mine",
            "other.v1-20200101T000000Z",
        ]
        let older = ["v0-20300101T000000Z", "v1-20200101T000000Z", "v1-20210101T000000Z"]
        for name in others + older.map({ "facefetch.sqlite." + $0 }) { try directory.write([1], to: name) }
        try JobStore(path: path).close()
        let names = try directory.names()
        #expect(Set(others).isSubset(of: names))
        let copies = names.filter { $0.hasPrefix("facefetch.sqlite.v") && $0.hasSuffix("Z") }.sorted()
        #expect(copies.count == 2)
        #expect(copies.first == "facefetch.sqlite.v1-20210101T000000Z")
        // Also where nothing is left to migrate, as those of an earlier daemon may be more.
        try directory.write([1], to: "facefetch.sqlite.v1-20200101T000000Z")
        try JobStore(path: path).close()
        #expect(try !directory.names().contains("facefetch.sqlite.v1-20200101T000000Z"))
    }

    @Test("Header fields of jobs that an earlier daemon cancelled are forgotten")
    func headersOfCancelled() async throws {
        try JobStore(path: path).close()
        do {
            let database = try DatabaseQueue(path: path)
            try await database.write { database in
                try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'v7'")
                try database.execute(
                    sql: "INSERT INTO batches (id, created_at, job_count, is_visible) VALUES (1, 0, 2, 1)"
                )
                for (id, state) in [(1, "cancelled"), (2, "paused")] {
                    try database.execute(
                        sql: """
                            INSERT INTO jobs (id, batch, url, host, state, name, has_given_name, priority, bytes,
                                length_unproven, logged_steps, logged_bytes, durable_bytes, told_of_full_disk,
                                has_started, has_finished, attempts, fruitless_tries, detection_deferred, headers)
                            VALUES (?, 1, 'http://e.org/', 'e.org:80', ?, 'a', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                'Authorization:x')
                            """,
                        arguments: [id, state]
                    )
                }
            }
        }
        let store = try JobStore(path: path)
        #expect(try await store.job(JobID(rawValue: 1))?.headers.isEmpty == true)
        #expect(try await store.job(JobID(rawValue: 2))?.headers.count == 1)
        try store.close()
    }

    @Test("A file that is no database, or is cut short, is told to be damaged", arguments: [0, 1, 2])
    func damaged(kind: Int) throws {
        try makeStore(jobs: 300)
        try change { bytes in
            switch kind {
            case 0: bytes = Array(repeating: 0x41, count: 8192)
            case 1: bytes.removeLast(bytes.count / 2)
            default: for index in 0..<100 { bytes[index] = 0 }
            }
        }
        #expect(isCorrupt { _ = try JobStore(path: path) })
    }

    /// Changes what is in the store's tables as damage would, whatever types and constraints they have.
    private func damage(_ sql: String) throws {
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

    @Test("Values that their columns can't have are no reason to set a store aside, nor do they hide one")
    func wrongValues() throws {
        try makeStore(jobs: 3000)
        try JobStore(path: path).close()
        try damage("UPDATE jobs SET priority = 'nonsense', url = NULL WHERE id <= 3")
        for check in [IntegrityCheck.quick, .whole] { try JobStore(path: path, check: check).close() }
        try change { bytes in
            let middle = bytes.count / 2 / 4096 * 4096
            for index in middle..<middle + 8192 { bytes[index] = 0x5A }
        }
        #expect(isCorrupt { _ = try JobStore(path: path) })
    }

    @Test(
        "A damaged value is no reason not to bring a store up to date",
        arguments: [
            "state = 'nonsense'", "state = NULL", "url = NULL", "priority = NULL", "priority = 'x'",
            "batch = 99",
            "batch = NULL", "batch = 'x'", "name = ''", "bytes = -1", "waiting_code = 'x'",
        ]
    )
    func migratesDamaged(assignment: String) async throws {
        try makeStore(jobs: 5, version: "v8")
        try damage("UPDATE jobs SET \(assignment) WHERE id = 3")
        let store = try JobStore(path: path)
        let state = try store.storedState()
        #expect(Set(try store.waiting().transfers).isSuperset(of: [1, 2, 4, 5]))
        #expect(state.jobsByState.values.reduce(0, +) == 5)
        #expect(try await store.jobs(JobFilter(), after: nil, limit: 10).items.count == 5)
        try store.close()
    }

    @Test("Bad pages in the middle are found at the start")
    func badPages() throws {
        try makeStore(jobs: 3000)
        try change { bytes in
            let middle = bytes.count / 2 / 4096 * 4096
            for index in middle..<middle + 8192 { bytes[index] = 0x5A }
        }
        #expect(isCorrupt { _ = try JobStore(path: path) })
        #expect(isCorrupt { _ = try JobStore(path: path, check: .whole) })
    }

    @Test("An emptied file beside a log that isn't empty is no new store")
    func emptied() throws {
        try directory.write([], to: "facefetch.sqlite")
        try directory.write([1, 2, 3], to: "facefetch.sqlite-wal")
        #expect(isCorrupt { _ = try JobStore(path: path) })
    }

    @Test("The look at the start ends when its time is up")
    func bounded() throws {
        try makeStore(jobs: 100_000)
        try JobStore(path: path).close()
        func seconds(_ check: IntegrityCheck) throws -> Double {
            let pool = try DatabasePool(path: path)
            defer { try? pool.close() }
            let start = ContinuousClock.now
            try JobStore.check(pool, path: path, check)
            return (ContinuousClock.now - start) / .seconds(1)
        }
        let whole = try seconds(.whole)
        // A machine that is busy with other tests may be late, but not every time.
        var cut = whole
        for _ in 1...20 where cut >= whole / 2 { cut = min(cut, try seconds(.within(seconds: whole / 50))) }
        #expect(cut < whole / 2, "\(cut) s of \(whole) s")
    }

    @Test("A store that is set aside keeps all its files, and leaves room for a new one")
    func setsAside() throws {
        for suffix in ["", "-wal", "-shm"] {
            try directory.write(Array("file\(suffix)".utf8), to: "facefetch.sqlite" + suffix)
        }
        let aside = try JobStore.setAside(path: path)
        #expect(aside.wholeMatch(of: /.*\/facefetch\.sqlite\.damaged-\d{8}T\d{6}Z/) != nil)
        for suffix in ["", "-wal", "-shm"] {
            #expect(try Data(contentsOf: URL(fileURLWithPath: aside + suffix)) == Data("file\(suffix)".utf8))
        }
        try JobStore(path: path).close()
    }

    @Test("What a statement needs for itself is kept in memory, except where indexes are rebuilt")
    func temporaries() throws {
        let store = try JobStore(path: path)
        func place(_ database: Database) throws -> Int? {
            try Int.fetchOne(database, sql: "PRAGMA temp_store")
        }
        var places: [Int?] = []
        try store.write { database in
            places.append(try place(database))
            if places.count == 1 { throw JobStore.disagreement }
        }
        // In memory is 2, and where SQLite likes is 0.
        #expect(try places + [store.database.writeWithoutTransaction(place)] == [2, 0, 2])
    }
}
