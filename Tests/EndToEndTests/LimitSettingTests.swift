import Foundation
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
        Row("TRIES", "1", "/busy", "http_503"),
        Row("GIVE_UP", "1 s", "/busy", "http_503"), Row("STALL_TIME", "1 s", "/slow", "stalled"),
        Row("INSECURE_HTTP", "refuse", "/5000.jpg", "refused_scheme"),
        Row("DENIED_NETWORKS", "127.0.0.0/8", "/5000.jpg", "denied_network"),
        Row("ACCEPT", "image/*", "/untyped", "unexpected_content_type"),
        Row("ACCEPT", "none", "/untyped", "done"),
        Row("ACCEPT", "none", "/5000.jpg", "unexpected_content_type"),
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
        origin.serve("/untyped") { file.answer(to: $0).header("Content-Type", nil) }
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
        #expect(job.error?.code ?? job.state == row.code, "\(job.error?.message ?? "")")
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
        #expect(shown.output.contains("waiting until ") && shown.output.contains("503"))
        #expect(await daemon.stop() == 0)
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
