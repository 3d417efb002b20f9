import CurlTransfer
import JobModel
import TestSupport
import TestTraits
import Testing
import Vocabulary

/// Skipped where nginx isn't installed.
@Suite("Answers of nginx", .timeLimit(.minutes(1)), .enabled(if: NginxServer.executable != nil), .ownThread)
struct NginxAnswerTests {
    private let bytes = OriginContent.bytes(seed: 63, count: 100_000)

    /// Runs a test with a server that serves `a.jpg` and what the directives say.
    private func run(
        _ directives: String,
        _ test: (TransferBench, NginxServer) async throws -> Void
    ) async throws {
        let server = try NginxServer.start(location: directives)
        defer { server.stop() }
        try server.serve(bytes, at: "a.jpg")
        try await TransferBench.run { bench in try await test(bench, server) }
    }

    @Test("503 with Retry-After asks everybody to wait, for as long as it says")
    func busy() async throws {
        try await run("location = /busy.jpg { add_header Retry-After 7 always; return 503; }") {
            bench,
            server in
            let running = try bench.fetch(JobURL(server.url("/busy.jpg")))
            guard case .hindered(let failure, by: let hindrance) = await running.end else {
                Issue.record("it ended otherwise")
                return
            }
            #expect(failure.code == .http(503))
            let host = try JobURL(server.url("/busy.jpg")).hostKey
            #expect(hindrance == .hostAsksToWait(host: host, seconds: 7))
            #expect(running.partial.isEmpty)
        }
    }

    @Test("a redirect is followed, to a whole file", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        try await run("location = /moved.jpg { return \(status) /a.jpg; }") { bench, server in
            let running = try bench.fetch(JobURL(server.url("/moved.jpg")))
            #expect(await running.end == .completed(length: 100_000, lengthProven: true))
            #expect(running.partial == bytes)
            server.stop()
            #expect(try server.answers().map(\.[2]) == ["\(status)", "200"])
        }
    }

    @Test("a redirect to itself is refused")
    func redirectLoop() async throws {
        try await run("location = /loop.jpg { return 302 /loop.jpg; }") { bench, server in
            let end = try #require(await bench.fetch(JobURL(server.url("/loop.jpg"))).end)
            #expect(end.isRefusal)
            #expect(end.code == .tooManyRedirects)
        }
    }

    @Test("a login page is no document")
    func loginPage() async throws {
        let page = "types { } default_type text/html; return 200 '<form>Password?</form>';"
        try await run("location = /login.jpg { \(page) }") { bench, server in
            let running = try bench.fetch(JobURL(server.url("/login.jpg")))
            let end = try #require(await running.end)
            #expect(end.isRefusal)
            #expect(end.code == .unexpectedContentType)
            #expect(running.partial.isEmpty)
        }
    }

    @Test("Content-Disposition tells a name, filename* before filename")
    func name() async throws {
        let field = #""attachment; filename=\"plain.jpg\"; filename*=UTF-8''k%C3%A4se.jpg""#
        try await run("add_header Content-Disposition \(field);") { bench, server in
            let running = try bench.fetch(JobURL(server.url("/a.jpg")))
            #expect(await running.end == .completed(length: 100_000, lengthProven: true))
            #expect(running.start?.suggestedName == "käse.jpg")
        }
        try await run(#"add_header Content-Disposition "inline; filename=plain.jpg";"#) { bench, server in
            let running = try bench.fetch(JobURL(server.url("/a.jpg")))
            _ = await running.end
            #expect(running.start?.suggestedName == "plain.jpg")
        }
    }

    @Test("404 is final")
    func missing() async throws {
        try await run("") { bench, server in
            let running = try bench.fetch(JobURL(server.url("/b.jpg")))
            let end = try #require(await running.end)
            #expect(end.isRefusal)
            #expect(end.code == .http(404))
            #expect(running.partial.isEmpty)
        }
    }
}

/// Skipped where nginx isn't installed.
@Suite(
    "A large file from nginx",
    .timeLimit(.minutes(1)),
    .serialized,
    .enabled(if: NginxServer.executable != nil),
    .ownThread
)
struct NginxSegmentTests {
    private static let mib = 1 << 20
    private static let bytes = OriginContent.bytes(seed: 64, count: 40 * mib)
    private let length = Int64(40 * mib)

    @Test("that is slow on each connection comes in segments", arguments: [true, false])
    func segments(hasTags: Bool) async throws {
        let server = try NginxServer.start(location: "limit_rate 8m; etag \(hasTags ? "on" : "off");")
        defer { server.stop() }
        try server.serve(Self.bytes, at: "a.jpg")
        try await TransferBench.run { bench in
            let running = try bench.fetch(JobURL(server.url("/a.jpg")))
            #expect(await running.end == .completed(length: length, lengthProven: true))
            // Never compared within an expectation: it would look for every difference in 40 MiB.
            let isSame = running.partial == Self.bytes
            #expect(isSame)
            #expect(running.kept == SegmentMap(prefix: length))
            server.stop()
            let answers = try server.answers()
            #expect(answers.filter { $0[2] == "200" }.count == 1)
            #expect(answers.filter { $0[2] == "206" }.count >= 3)
            #expect(answers.count == answers.filter { ["200", "206"].contains($0[2]) }.count)
            // Four at once. An answer of which no more was wanted is still under way for nginx when the next one begins,
            // and a host that nothing is known of yet may be asked over new connections.
            let cut = answers.count { $0[3] != $0[4] }
            #expect((4...4 + cut).contains(try server.mostConnections()))
        }
    }

    @Test("goes on by the map of what it kept when it was stopped, and asks for nothing but what is missing")
    func resumes() async throws {
        let (slow, fast) = (try NginxServer.start(location: "limit_rate 8m;"), try NginxServer.start())
        defer {
            slow.stop()
            fast.stop()
        }
        try slow.serve(Self.bytes, at: "a.jpg")
        try fast.serve(Self.bytes, at: "a.jpg")
        try await TransferBench.run { bench in
            let running = try bench.fetch(JobURL(slow.url("/a.jpg")))
            await running.progress(of: Int64(16 * Self.mib))
            running.stop()
            #expect(await running.end == .stopped)
            let map = try #require(running.kept)
            #expect(map.ranges.count > 1, "it was in segments")
            #expect((Int64(16 * Self.mib)..<length).contains(map.count))
            let point = ResumePoint(
                offset: map.prefix,
                total: length,
                validator: try #require(running.start?.validator),
                held: map
            )
            // nginx makes its tag from length and date: the other server has the same file.
            let rest = try bench.fetch(JobURL(fast.url("/a.jpg")), resume: point, partial: running.partial)
            #expect(await rest.end == .completed(length: length, lengthProven: true))
            #expect(rest.start?.mode == .resumed)
            #expect(rest.start?.offset == map.count)
            let isSame = rest.partial == Self.bytes
            #expect(isSame)
            fast.stop()
            let answers = try fast.answers()
            #expect(!answers.isEmpty)
            #expect(answers.allSatisfy { $0[2] == "206" })
        }
    }
}
