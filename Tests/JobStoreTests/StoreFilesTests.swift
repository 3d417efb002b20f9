import Foundation
import GRDB
import TestSupport
import Testing

@testable import JobStore

/// The store's files: whole ones and damaged ones, and what becomes of them.
struct StoreFilesTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("Migrations keep their names, by which a store knows which it has had")
    func migrations() { #expect(Schema.migrator.migrations.first == "0.2.0") }

    @Test("The table of jobs has the columns that are written and read, and no others")
    func columns() async throws {
        let store = try JobStore(path: path)
        let columns = try await store.database.read { try $0.columns(in: "jobs").map(\.name) }
        #expect(columns.sorted() == JobColumn.allCases.map(\.name).sorted())
    }

    /// A store of so many jobs, closed.
    private func makeStore(jobs: Int) throws {
        try JobStore(path: path).close()
        let pool = try DatabasePool(path: path)
        try pool.write { database in
            try database.execute(
                sql: """
                    INSERT INTO batches (id, created_at, job_count, is_visible, first_job, last_job)
                    VALUES (1, 0, ?1, 1, 1, ?1)
                    """,
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

    @Test("A new store needs no copy")
    func new() throws {
        try JobStore(path: path).close()
        #expect(try directory.names().contains { $0.hasPrefix("facefetch.sqlite.") } == false)
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
