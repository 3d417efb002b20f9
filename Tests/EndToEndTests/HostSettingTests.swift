import ControlAPI
import Foundation
import Glibc
import TestSupport
import Testing

/// Settings of single hosts, with the real daemon and client: a reload brings and takes back what a host gets, and
/// nobody is shown a secret.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct HostSettingTests {
    private let installation: Installation

    init() throws { installation = try Installation() }

    private func write(_ settings: String) throws {
        let text = "secrets.directory: \(installation.directory.path)\n" + settings
        try installation.directory.write(Array(text.utf8), to: "facefetchd.yaml")
    }

    private func secret(_ text: String, _ name: String, mode: mode_t = 0o600) throws {
        chmod(try installation.directory.write(Array(text.utf8), to: name), mode)
    }

    private func start() async throws -> Program {
        try await installation.startDaemon(flags: [
            "--config", installation.directory.path("facefetchd.yaml"),
        ])
    }

    @Test("A host's secrets open what is closed without them, from the reload on that brings them")
    func secrets() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 8, count: 5000)
        origin.serve("/a.jpg") { request in
            // What a host gets as its User-Agent goes there in place of transfer.user-agent.
            let isKnown =
                request.header("X-Key") == "s3cret" && request.header("Cookie") == "session=s3cret"
                && request.header("User-Agent") == "Browser/1"
            return isKnown ? file.answer(to: request) : OriginAnswer(403)
        }
        try secret("X-Key: s3cret\nUser-Agent: Browser/1\n", "fields")
        try secret("127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\ts3cret\n", "cookies.txt")
        try write("")
        let daemon = try await start()
        let refused = try await installation.facefetch("add", "--wait", "--json", origin.url("/a.jpg"))
        #expect(try installation.jobs(refused).first?.error?.code == "http_403")

        try write("hosts: {127.0.0.1: {headers: fields, cookies: cookies.txt}}\n")
        daemon.signal(SIGHUP)
        #expect(await daemon.errorLine(containing: "hosts.127.0.0.1.headers is now \"fields\"") != nil)
        let brought = try await installation.facefetch("add", "--wait", origin.url("/a.jpg"))
        #expect(brought.status == 0, "\(brought.errors)")

        try secret("X-Key: s3cret\n", "fields", mode: 0o644)
        daemon.signal(SIGHUP)
        let words =
            "hosts.127.0.0.1.headers: \(installation.directory.path("fields")) can be read or changed by others"
        #expect(await daemon.errorLine(containing: words) != nil)

        try write("")
        daemon.signal(SIGHUP)
        #expect(await daemon.errorLine(containing: "hosts.127.0.0.1.headers is now not set") != nil)
        let again = try await installation.facefetch("add", "--wait", "--json", origin.url("/a.jpg"))
        #expect(try installation.jobs(again).first?.error?.code == "http_403")
        var shown = try await installation.facefetch("list", "--json").output
        daemon.signal(SIGTERM)
        shown += await daemon.errorOutput()
        shown += try installation.eventLog().joined(separator: "\n")
        #expect(await daemon.status == 0 && !shown.contains("s3cret"))
    }

    @Test("facefetch hosts shows who has what to do where, and check-config what the file says of hosts")
    func hosts() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let gate = OriginGate()
        defer { gate.open() }
        for path in ["/a.jpg", "/b.jpg"] {
            origin.serve(path) { OriginFile(seed: 9, count: 5000).answer(to: $0).held(by: gate) }
        }
        try write("hosts: {127.0.0.1: {per-host: 1, rate-limit: 1 MB}}\n")
        let daemon = try await start()
        _ = try await installation.facefetch("add", origin.url("/a.jpg"), origin.url("/b.jpg"))
        #expect(await daemon.errorLine(containing: "download of") != nil)
        let hosts = try await installation.facefetch("hosts", "--json").output
        let host = try JSONDecoder().decode(HostJSON.self, from: Data(hosts.utf8))
        #expect(host.host == "127.0.0.1:\(origin.port)" && host.active + host.queued == 2)
        let checked = try await Program.run(
            "facefetchd",
            ["check-config", "--config", installation.directory.path("facefetchd.yaml")]
        )
        #expect(checked.status == 0, "\(checked.errors)")
        #expect(checked.output.contains("\nhosts.127.0.0.1.per-host: 1  # "), "\(checked.output)")
        gate.open()
        #expect(await daemon.stop() == 0)
    }

    @Test("A job's cookies are sent to its own host alone, and an authority that isn't there ends the start")
    func cookies() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(seed: 10, count: 5000))
        try secret("127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\ts3cret\n", "cookies.txt")
        try write("")
        let daemon = try await start()
        let added = try await installation.facefetch(
            "add",
            "--wait",
            "--cookies",
            installation.directory.path("cookies.txt"),
            origin.url("/a.jpg")
        )
        #expect(added.status == 0, "\(added.errors)")
        #expect(origin.requests("/a.jpg").map { $0.header("Cookie") } == ["session=s3cret"])
        #expect(await daemon.stop() == 0)
        try write("transfer: {ca-file: /nowhere/ca.pem}\n")
        let config = ["--config", installation.directory.path("facefetchd.yaml")]
        for command in [["check-config"], []] {
            let ended = try await Program.run(
                "facefetchd",
                command + (command.isEmpty ? installation.flags : []) + config
            )
            #expect(ended.status == 78, "\(ended.output)\(ended.errors)")
            #expect(ended.errors.contains("transfer.ca-file: /nowhere/ca.pem can't be read: No such file"))
        }
    }
}
