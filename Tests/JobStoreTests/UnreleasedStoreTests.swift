import Foundation
import GRDB
import Glibc
import TestSupport
import Testing

@testable import JobStore

/// Stores of before the first release are refused, and nothing of them is changed.
struct UnreleasedStoreTests {
    private let directory: TemporaryDirectory
    /// The directory of the store, whose name is one that a URI would have to spell otherwise.
    private let state: String

    init() throws {
        directory = try TemporaryDirectory()
        state = try directory.directory("st%41te? #1")
    }

    private var path: String { state + "/facefetch.sqlite" }

    /// What a daemon has left of its store.
    enum Remains: CaseIterable {
        /// One that ended in order left the store alone.
        case closed
        /// One that was killed left a log with all that there is.
        case killed
        /// Somebody has copied the store and its log.
        case copied
    }

    /// Makes a store as a version before the first release left it.
    private func make(_ remains: Remains, firstMigration: String = "v1") throws {
        let made = directory.path("made.sqlite")
        let pool = try DatabasePool(path: made)
        try pool.write { database in
            try database.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            let names = [firstMigration] + (2...21).map { "v\($0)" } + ["folder", "jobs-by-text"]
            for name in names {
                try database.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [name])
            }
            try database.execute(
                sql: "CREATE TABLE jobs (id INTEGER PRIMARY KEY, struggling_since INTEGER) STRICT"
            )
            try database.execute(sql: "INSERT INTO jobs VALUES (1, 2)")
        }
        let suffixes: [String]
        switch remains {
        case .closed:
            try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try pool.close()
            suffixes = [""]
        case .killed: suffixes = ["", "-wal", "-shm"]
        case .copied: suffixes = ["", "-wal"]
        }
        for suffix in suffixes {
            try FileManager.default.copyItem(atPath: made + suffix, toPath: path + suffix)
            #expect(chmod(path + suffix, 0o644) == 0)
        }
        if remains != .closed {
            #expect(try files()["facefetch.sqlite-wal"]?.contains("length: 0,") == false)
        }
    }

    /// The files of the state directory: mode, length, the time of the last change, and what is in them.
    private func files() throws -> [String: String] {
        var files: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: state) {
            var status = stat()
            #expect(stat(state + "/" + name, &status) == 0)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: state + "/" + name))
            files[name] = """
                mode: \(status.st_mode), length: \(bytes.count), changed: \(status.st_mtim.tv_sec) \
                \(status.st_mtim.tv_nsec), bytes: \(bytes.base64EncodedString())
                """
        }
        return files
    }

    @Test("Whatever the last daemon has left of one, not a byte of it changes", arguments: Remains.allCases)
    func refused(remains: Remains) throws {
        try make(remains)
        let before = try files()
        #expect(throws: JobStoreError.unreleasedSchema(path: path)) { try JobStore(path: path) }
        #expect(try files() == before)
    }

    @Test("One damaged name doesn't make it another's")
    func damagedName() throws {
        try make(.killed, firstMigration: "v\u{1}")
        let before = try files()
        #expect(throws: JobStoreError.unreleasedSchema(path: path)) { try JobStore(path: path) }
        #expect(try files() == before)
    }

    @Test("The sentence says what can be done")
    func words() {
        let words = JobStoreError.unreleasedSchema(path: "/s/facefetch.sqlite").description
        #expect(
            words == """
                the job store /s/facefetch.sqlite was written by a version before 0.2.0, of which there was no release; \
                move /s/facefetch.sqlite* away to start with an empty one, or use another --state-dir
                """
        )
    }

    @Test("A store of this release is none, also as a kill has left it")
    func released() throws {
        let made = directory.path("made.sqlite")
        let store = try JobStore(path: made)
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.copyItem(atPath: made + suffix, toPath: path + suffix)
        }
        #expect(!UnreleasedStore.isThere(at: path))
        try JobStore(path: path).close()
        #expect(!UnreleasedStore.isThere(at: path))
        try store.close()
    }
}
