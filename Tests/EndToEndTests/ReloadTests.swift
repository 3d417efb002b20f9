import Foundation
import Glibc
import TestSupport
import Testing

/// SIGHUP: good settings are applied, bad ones change nothing, and the event log is opened anew.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ReloadTests {
    private let installation: Installation
    private let manager: ServiceManager

    init() throws {
        installation = try Installation()
        manager = try ServiceManager(path: installation.directory.path("notify"))
    }

    private func write(_ settings: String) throws {
        try installation.directory.write(Array(settings.utf8), to: "facefetchd.yaml")
    }

    private func start() async throws -> Program {
        let daemon = try Program(
            "facefetchd",
            installation.flags + ["--config", installation.directory.path("facefetchd.yaml")],
            environment: ["NOTIFY_SOCKET": manager.path]
        )
        _ = await manager.messages(until: "READY=1")
        return daemon
    }

    /// Reloads, and returns when the daemon says that it has.
    private func reload(_ daemon: Program) async {
        daemon.signal(SIGHUP)
        let heard = await manager.messages(until: "READY=1")
        let first = heard.firstIndex { $0.first == "RELOADING=1" }
        #expect(first != nil && first.map { heard[$0][1].hasPrefix("MONOTONIC_USEC=") } == true)
        #expect(heard.last?.contains("READY=1") == true)
    }

    private func code(of url: String) async throws -> String? {
        let added = try await installation.facefetch("add", "--wait", "--json", url)
        let job = try #require(try installation.jobs(added).first)
        return job.error?.code ?? job.state.text
    }

    @Test("What can change in place does, and what can't is said to take a restart")
    func good() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/login") { _ in .loginPage }
        origin.serve("/a.jpg", OriginFile(seed: 1, count: 5000))
        try write("transfer: {concurrency: 3}\n")
        let daemon = try await start()
        #expect(try await code(of: origin.url("/login")) == "unexpected_content_type")
        try write(
            """
            transfer: {accept: [text/html, image/*], denied-networks: [10.0.0.0/8], per-host: 2}
            detection: {workers: 1, timeout: 30 s, when: held}
            paths: {state: /elsewhere}
            control: {group: root}
            log: {level: debug}
            """
        )
        await reload(daemon)
        let said = await daemon.errorLine(containing: "control.group stays not set")
        #expect(said?.contains("restart the daemon to make it") == true)
        #expect(try await installation.facefetch("status").output.contains("held"))
        _ = try await installation.facefetch("add", origin.url("/login"))
        #expect(await daemon.errorLine(containing: "deferred face detection in \"login\"") != nil)

        // And back: the gate opens, and other detectors look.
        try write("transfer: {denied-networks: [127.0.0.0/8]}\n")
        await reload(daemon)
        #expect(await daemon.errorLine(containing: "face detection in \"login\": unreadable") != nil)
        // The connection is open still, and not used again.
        #expect(try await code(of: origin.url("/a.jpg")) == "denied_network")
        #expect(await daemon.stop() == 0)
    }

    @Test("A bad file is told line by line and changes nothing, but the event log is opened anew")
    func bad() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/login") { _ in .loginPage }
        try write("transfer: {accept: [image/*]}\n")
        let daemon = try await start()
        try write("transfer:\n  accept: [text/html]\n  concurency: 4\n")
        let log = installation.directory.path("events.log")
        #expect(rename(log, log + ".1") == 0)
        await reload(daemon)
        let said = await daemon.errorLine(containing: "facefetchd.yaml:3: transfer.concurency")
        #expect(said?.contains("did you mean transfer.concurrency?") == true)
        #expect(await daemon.errorLine(containing: "the settings stay as they were") != nil)
        #expect(try await code(of: origin.url("/login")) == "unexpected_content_type")
        #expect(await daemon.stop() == 0)
        #expect(try installation.eventLog().contains { $0.contains("failed download") })
    }
}
