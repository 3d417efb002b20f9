import Foundation
import GRDB
import TestSupport
import Testing

/// A job store that is of another version or damaged when the daemon starts.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct StoreTests {
    private let installation: Installation

    init() throws { installation = try Installation() }

    private var store: String { installation.directory.path("state/facefetch.sqlite") }

    /// Lets a daemon fetch one file, and stops it.
    private func fetch(_ url: String) async throws -> [String] {
        let daemon = try await installation.startDaemon()
        let added = try await installation.facefetch("add", "--wait", "--json", url)
        let names = try installation.jobs(added).map(\.name)
        #expect(await daemon.stop() == 0)
        return names
    }

    @Test("A damaged one is set aside and said loudly; documents stay, and no name is taken twice")
    func damaged() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let first = OriginFile(seed: 1, count: 5000)
        origin.serve("/a.jpg", first)
        #expect(try await fetch(origin.url("/a.jpg")) == ["a.jpg"])
        let database = try DatabaseQueue(path: store)
        try await database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try database.close()
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: store)))
        for index in 4096..<12_288 { bytes[index] = 0x5A }
        try Data(bytes).write(to: URL(fileURLWithPath: store))

        let daemon = try Program("facefetchd", installation.flags)
        let said = await daemon.errorLine(containing: "was damaged")
        #expect(said?.contains("critical") == true && said?.contains("goes on with a new one") == true)
        #expect(await daemon.errorLine(containing: "ready:") != nil)
        let second = OriginFile(seed: 2, count: 6000)
        origin.serve("/a.jpg", second)
        let added = try await installation.facefetch("add", "--wait", "--json", origin.url("/a.jpg"))
        #expect(try installation.jobs(added).map(\.name) == ["a (2).jpg"])
        #expect(await daemon.stop() == 0)
        #expect(try installation.document("a.jpg") == first.bytes)
        #expect(try installation.document("a (2).jpg") == second.bytes)
        let names = try FileManager.default.contentsOfDirectory(atPath: installation.directory.path("state"))
        let aside = try #require(names.first { $0.hasPrefix("facefetch.sqlite.damaged-") })
        let kept = try Data(contentsOf: URL(fileURLWithPath: installation.directory.path("state/" + aside)))
        #expect(kept[4096..<12_288].allSatisfy { $0 == 0x5A })
    }

    @Test("A newer one is refused with 78, and left alone")
    func newer() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(seed: 1, count: 500))
        _ = try await fetch(origin.url("/a.jpg"))
        let database = try DatabaseQueue(path: store)
        try await database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9.0.0')") }
        try database.close()
        let result = try await Program.run("facefetchd", installation.flags)
        #expect(result.status == 78)
        #expect(result.errors.contains("newer facefetch"))
        let names = try FileManager.default.contentsOfDirectory(atPath: installation.directory.path("state"))
        #expect(!names.contains { $0.hasPrefix("facefetch.sqlite.") })
    }

    @Test("One of before the first release is refused with 78 and what to do, and not a byte of it changes")
    func unreleased() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(seed: 1, count: 500))
        _ = try await fetch(origin.url("/a.jpg"))
        let database = try DatabaseQueue(path: store)
        try await database.write { try $0.execute(sql: "UPDATE grdb_migrations SET identifier = 'v1'") }
        try database.close()
        func files() throws -> [String: Data] {
            let folder = installation.directory.path("state")
            var files: [String: Data] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: folder)
            where name.hasPrefix("facefetch.sqlite") {
                files[name] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
            }
            return files
        }
        let before = try files()
        let result = try await Program.run("facefetchd", installation.flags)
        #expect(result.status == 78)
        #expect(result.errors.contains("before 0.2.0, of which there was no release; move \(store)* away"))
        #expect(try files() == before)
        // Which is what helps.
        for name in before.keys {
            try FileManager.default.removeItem(atPath: installation.directory.path("state/" + name))
        }
        #expect(try await fetch(origin.url("/a.jpg")) == ["a (2).jpg"])
    }

    @Test("Rows in one that can't be read cost their own jobs: the daemon starts, says so, and lists all")
    func brokenRows() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        for name in ["a", "b", "c"] { origin.serve("/\(name).jpg", OriginFile(seed: 1, count: 500)) }
        let first = try await installation.startDaemon()
        _ = try await installation.facefetch("add", "--wait", origin.url("/a.jpg"), origin.url("/b.jpg"))
        #expect(await first.stop() == 0)
        let database = try DatabaseQueue(path: store)
        try await database.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA ignore_check_constraints = ON;
                    UPDATE jobs SET state = 'downloading', url = 'no URL' WHERE id = 1;
                    UPDATE jobs SET state = 'nonsense' WHERE id = 2;
                    """
            )
        }
        try database.close()

        let daemon = try Program("facefetchd", installation.flags)
        #expect(await daemon.errorLine(containing: "j2 ")?.contains("storage_error") == true)
        #expect(await daemon.errorLine(containing: "j1 ")?.contains("storage_error") == true)
        let added = try await installation.facefetch("add", "--wait", "--json", origin.url("/c.jpg"))
        #expect(try installation.jobs(added).map(\.name) == ["c.jpg"])
        let listed = try await installation.facefetch("list", "--json")
        let jobs = try installation.jobs(listed)
        #expect(jobs.map(\.id) == [1, 2, 3])
        #expect(jobs.map { $0.error?.code } == ["storage_error", "storage_error", nil])
        #expect(await daemon.stop() == 0)
    }
}
