import Foundation
import GRDB
import TestSupport
import Testing

/// A job store that is newer or damaged when the daemon starts.
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
        #expect(said?.contains("critical") == true && said?.contains("a new one is begun") == true)
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
        try await database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v999')") }
        try database.close()
        let result = try await Program.run("facefetchd", installation.flags)
        #expect(result.status == 78)
        #expect(result.errors.contains("newer facefetch"))
        let names = try FileManager.default.contentsOfDirectory(atPath: installation.directory.path("state"))
        #expect(!names.contains { $0.hasPrefix("facefetch.sqlite.") })
    }
}
