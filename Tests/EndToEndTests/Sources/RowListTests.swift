import ControlAPI
import Foundation
import TestSupport
import Testing

/// Lists in rows, which are fetched whole and read in pieces.
struct RowListTests {
    /// A server of a list of pictures, and how it serves it.
    private static func origin(_ count: Int, _ way: Way, _ gate: OriginGate) throws -> Origin {
        let text = "title,url\n" + (0..<count).map { "\"t\n\($0)\",/picture/\($0).jpg\n" }.joined()
        let bytes = way == .compressed ? try Compressed.gzip(Array(text.utf8)) : Array(text.utf8)
        let origin = try Origin.start()
        origin.serve("/list.csv") { request in
            let file = OriginFile(bytes)
            return way == .whole ? file.whole : file.answer(to: request)
        }
        origin.serveOthers { OriginFile(Array($0.path.utf8)).answer(to: $0).held(by: gate) }
        return origin
    }

    /// A piece has no more rows than may be ahead.
    private static func recipe(_ origin: Origin, ahead: Int) -> String {
        """
        name: list
        kind: csv
        url: \(origin.url("/list.csv"))
        job: {key: .title, meta: {title: .title}}
        every: never
        ahead: \(ahead)
        """
    }

    /// Ways of serving a list.
    enum Way: CaseIterable {
        /// By a server that knows ranges, by one that doesn't, and as a file of gzip's.
        case ranges, whole, compressed
    }

    @Test(
        "A list in rows is asked for once, whatever its server can, and read on in pieces after a kill",
        arguments: Way.allCases
    )
    func pieces(_ way: Way) async throws {
        let gate = OriginGate()
        let origin = try Self.origin(300, way, gate)
        defer {
            gate.open()
            origin.stop()
        }
        let installation = try Installation()
        var daemon = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(Self.recipe(origin, ahead: 20))
        let first = try #require(try await installation.source { $0.state.code == .held })
        #expect(first.items == 20 && first.new == 20)
        daemon.signal(SIGKILL)
        _ = await daemon.status
        daemon = try await installation.startDaemon(environment: Installation.plain)
        // The rest in larger pieces.
        let more = Array(Self.recipe(origin, ahead: 100).utf8)
        let file = try installation.directory.write(more, to: "more.yaml")
        #expect(try await installation.facefetch("source", "apply", file).status == 0)
        let second = try #require(
            try await installation.source { $0.state.code == .held && $0.items > 20 }
        )
        #expect(second.items == 120)
        gate.open()
        let end = try #require(try await installation.source { $0.state.code == .ended })
        #expect(end.items == 300 && end.new == 300 && end.bad == 0)
        let jobs = try await installation.allJobs()
        #expect(jobs.map(\.itemKey) == (0..<300).map { "t\n\($0)" })
        #expect(origin.requests("/list.csv").count == 1)
        #expect(origin.requests("/list.csv").allSatisfy { $0.header("Range") == nil })
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "A list that became another one while the daemon was away is read from its beginning, without doubles"
    )
    func otherList() async throws {
        let gate = OriginGate()
        let origin = try Self.origin(60, .whole, gate)
        defer {
            gate.open()
            origin.stop()
        }
        let installation = try Installation()
        var daemon = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(Self.recipe(origin, ahead: 20))
        _ = try #require(try await installation.source { $0.state.code == .held })
        #expect(await daemon.stop() == 0)
        // What was fetched is lost with the folder of pages.
        let pages = installation.directory.path("state/pages")
        for name in try FileManager.default.contentsOfDirectory(atPath: pages) where name.hasSuffix(".list") {
            try FileManager.default.removeItem(atPath: pages + "/" + name)
        }
        let text =
            "title,url\nnew,/picture/new.jpg\n"
            + (0..<60).map { "\"t\n\($0)\",/picture/\($0).jpg\n" }.joined()
        origin.serve("/list.csv") { _ in OriginAnswer(200, body: Array(text.utf8)) }
        daemon = try await installation.startDaemon(environment: Installation.plain)
        gate.open()
        let end = try #require(try await installation.source { $0.state.code == .ended })
        #expect(end.items == 61)
        let keys = try await installation.allJobs().compactMap(\.itemKey)
        #expect(keys.count == 61 && Set(keys).count == 61)
        #expect(await daemon.stop() == 0)
    }
}
