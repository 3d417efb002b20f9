import Foundation
import Glibc
import TestSupport
import Testing

/// Every limit of downloads, as it is set: what goes over it ends as it should.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct LimitSettingTests {
    /// A setting, what is fetched under it, and how that ends.
    struct Row: Sendable, CustomTestStringConvertible {
        var setting: String
        var value: String
        var path: String
        var code: String
        var testDescription: String { "\(setting)=\(value)" }

        init(_ setting: String, _ value: String, _ path: String, _ code: String) {
            (self.setting, self.value, self.path, self.code) = (setting, value, path, code)
        }
    }

    static let rows = [
        Row("MAXIMUM_SIZE", "4999", "/5000.jpg", "too_large"),
        Row("MAXIMUM_SIZE", "5000", "/5000.jpg", "done"),
        Row("REDIRECTS", "0", "/redirect", "too_many_redirects"), Row("REDIRECTS", "1", "/redirect", "done"),
        Row("TRIES", "1", "/broken", "http_500"),
        Row("GIVE_UP", "1 s", "/busy", "http_503"), Row("STALL_TIME", "1 s", "/slow", "stalled"),
        Row("INSECURE_HTTP", "refuse", "/5000.jpg", "refused_scheme"),
        Row("DENIED_NETWORKS", "127.0.0.0/8", "/5000.jpg", "denied_network"),
        Row("ACCEPT", "image/*", "/untyped", "unexpected_content_type"),
        Row("ACCEPT", "none", "/untyped", "done"),
        Row("ACCEPT", "image/*", "/text", "done"),
        Row("ACCEPT", "image/png", "/text", "unexpected_content_type"),
        Row("ACCEPT", "none", "/5000.jpg", "unexpected_content_type"),
        Row("RESPECT_NOAI", "true", "/noai", "refused_by_robots"),
        Row("RESPECT_NOAI", "false", "/noai", "done"),
        Row("RATE_LIMIT", "1 MB", "/5000.jpg", "done"),
    ]

    @Test("A download ends as the settings have it", arguments: rows)
    func ends(row: Row) async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 1, count: 5000)
        origin.serve("/5000.jpg", file)
        origin.serve("/redirect") { _ in .redirect("/5000.jpg") }
        origin.serve("/busy") { _ in OriginAnswer(503, [("Retry-After", "1")]) }
        // A fault of the server is the job's, and counts; a host that says when to come again has none.
        origin.serve("/broken") { _ in OriginAnswer(500) }
        origin.serve("/untyped") { file.answer(to: $0).header("Content-Type", nil) }
        // A picture, whatever its server says.
        let picture = OriginFile([0xFF, 0xD8, 0xFF, 0xE0] + file.bytes)
        origin.serve("/text") { picture.answer(to: $0).header("Content-Type", "text/plain") }
        origin.serve("/noai") { file.answer(to: $0).header("X-Robots-Tag", "noai, noimageai") }
        let gate = OriginGate()
        defer { gate.open() }
        // Without a validator each try begins anew, and comes as far as the one before.
        origin.serve("/slow") { _ in
            OriginAnswer(200, [("Content-Type", "image/jpeg")], body: file.bytes)
                .held(beforeByte: 1000, by: gate)
        }
        let installation = try Installation()
        var environment = ["FACEFETCH_TRANSFER_" + row.setting: row.value]
        // What passes is not waited for.
        if row.setting == "STALL_TIME" { environment["FACEFETCH_TRANSFER_TRIES"] = "2" }
        let daemon = try await installation.startDaemon(environment: environment)
        let added = try await installation.facefetch("add", "--wait", "--json", origin.url(row.path))
        let job = try #require(try installation.jobs(added).first)
        #expect(job.error?.code ?? job.state.text == row.code, "\(job.error?.message ?? "")")
        #expect(await daemon.stop() == 0)
    }

    @Test("A job that waits says why and until when")
    func waits() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/busy") { _ in OriginAnswer(503, [("Retry-After", "3600")]) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        _ = try await installation.facefetch("add", origin.url("/busy"))
        #expect(await daemon.errorLine(containing: "waiting to retry") != nil)
        let shown = try await installation.facefetch("show", "1")
        #expect(shown.output.contains("waiting until ") && shown.output.contains(", http_503: "))
        #expect(await daemon.stop() == 0)
    }

    @Test("All transfers together keep to the rate that is set")
    func rate() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 1, count: 20_000)
        for path in ["/a.jpg", "/b.jpg"] { origin.serve(path, file) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(
            environment: ["FACEFETCH_TRANSFER_RATE_LIMIT": "10 kB"]
        )
        let clock = ContinuousClock()
        let began = clock.now
        _ = try await installation.facefetch("add", origin.url("/a.jpg"), origin.url("/b.jpg"))
        for _ in 1...2 { #expect(await daemon.errorLine(containing: "finished download of") != nil) }
        // 40,000 bytes, of which a tenth of a second's worth and a last chunk come free.
        #expect(clock.now - began > .seconds(1))
        #expect(await daemon.stop() == 0)
    }

    @Test("A large file comes in as many segments at once as is set", arguments: [1, 4])
    func segments(count: Int) async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 6, count: 40 << 20)
        origin.serve("/large.jpg") { file.answer(to: $0).paced(bytesPerSecond: 16 << 20) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(
            environment: ["FACEFETCH_TRANSFER_SEGMENTS": "\(count)"]
        )
        let added = try await installation.facefetch("add", "--wait", origin.url("/large.jpg"))
        #expect(added.status == 0, "\(added.errors)")
        let isWhole = try installation.document("large.jpg") == file.bytes
        #expect(isWhole)
        let requests = origin.requests("/large.jpg").count
        #expect(count == 1 ? requests == 1 : requests > 1, "\(requests) requests")
        #expect(await daemon.stop() == 0)
    }

    @Test("Without the room that is to stay free a job waits, and goes on by itself once it needn't be")
    func reserve() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 1, count: 5000)
        origin.serve("/a.jpg", file)
        let installation = try Installation()
        func write(_ settings: String) throws {
            try installation.directory.write(Array(settings.utf8), to: "facefetchd.yaml")
        }
        // A petabyte: more than any disk has.
        try write("disk: {reserve: 1000 TB}\n")
        let daemon = try await installation.startDaemon(
            flags: ["--config", installation.directory.path("facefetchd.yaml")]
        )
        _ = try await installation.facefetch("add", origin.url("/a.jpg"))
        let waits = await daemon.errorLine(containing: "waiting to retry \"a.jpg\"")
        let reason = "1000000000000000 are kept free (disk.reserve)"
        #expect(waits?.contains(": the file needs 5000 more bytes; ") == true, "\(waits ?? "")")
        #expect(waits?.hasSuffix(reason) == true, "\(waits ?? "")")
        let shown = try await installation.facefetch("show", "--json", "1")
        let job = try #require(try installation.jobs(shown).first)
        #expect(job.state == "waiting")
        #expect(job.waiting?.reason.hasSuffix(reason) == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: installation.documents).isEmpty)

        try write("disk: {reserve: 0}\n")
        daemon.signal(SIGHUP)
        #expect(await daemon.errorLine(containing: "stored \"a.jpg\"") != nil)
        #expect(try installation.document("a.jpg") == file.bytes)
        #expect(await daemon.stop() == 0)
        #expect(try !installation.eventLog().contains { $0.contains("failed download") })
    }

    @Test("Transfers go through the proxy of the environment, and that denied networks can't hold is said")
    func proxy() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 1, count: 5000)
        origin.serve("http://pictures.invalid/a.jpg", file)
        let installation = try Installation()
        let proxy = String(origin.url("/").dropLast())
        let daemon = try Program("facefetchd", installation.flags, environment: ["http_proxy": proxy])
        let warning = await daemon.errorLine(containing: "http_proxy is set")
        #expect(warning?.contains("warning") == true && warning?.contains("denied networks") == true)
        #expect(await daemon.errorLine(containing: "ready:") != nil)
        let added = try await installation.facefetch("add", "--wait", "http://pictures.invalid/a.jpg")
        #expect(added.status == 0, "\(added.errors)")
        #expect(try installation.document("a.jpg") == file.bytes)
        #expect(await daemon.stop() == 0)
    }
}
