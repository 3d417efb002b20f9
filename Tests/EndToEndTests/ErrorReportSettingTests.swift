import Foundation
import TestSupport
import Testing

/// Tests of where errors are reported, as somebody sets it.
struct ErrorReportSettingTests {
    private let installation: Installation

    init() throws { installation = try Installation() }

    private func check(_ environment: [String: String]) async throws -> Program.Result {
        try await Program.run("facefetchd", ["check-config"] + installation.flags, environment: environment)
    }

    @Test("A file has it that nobody else can read, and what is in it is never shown")
    func file() async throws {
        let good = "http://t0ken@127.0.0.1:9/1"
        let file = try installation.directory.write(Array("# ours\n\(good)\n".utf8), to: "dsn")
        chmod(file, 0o600)
        let environment = ["FACEFETCH_REPORTING_DSN_FILE": file]
        let checked = try await check(environment)
        #expect(checked.status == 0 && checked.output.contains("reporting.dsn-file: \(file)  #"))
        let daemon = try await installation.startDaemon(environment: environment)
        let status = try await installation.facefetch("status")
        #expect(status.output.contains("Reports     delivering, 0 sent"), "\(status.output)")
        #expect(await daemon.stop() == 0)

        let both = try await check(environment.merging(["FACEFETCH_REPORTING_DSN": good]) { $1 })
        #expect(both.status == 78 && both.errors.contains("reporting.dsn is set as well; remove one of them"))
        chmod(file, 0o644)
        let open = try await check(environment)
        #expect(open.status == 78 && open.errors.contains("can be read or changed by others"))
        try installation.directory.write(Array("http://127.0.0.1/t0ken\n".utf8), to: "dsn")
        chmod(file, 0o600)
        let wrong = try await check(environment)
        #expect(wrong.status == 78 && wrong.errors.contains("must have one line with a DSN such as"))
        for result in [checked, both, open, wrong] {
            #expect(!result.output.contains("t0ken") && !result.errors.contains("t0ken"))
        }
    }

    @Test("Off, as it is by default, the daemon keeps nothing for it")
    func off() async throws {
        _ = try installation.directory.directory("state/reports")
        let daemon = try await installation.startDaemon()
        #expect(access(installation.directory.path("state/reports"), F_OK) != 0)
        let status = try await installation.facefetch("status", "--json")
        #expect(
            status.output.contains(#""reporting":{"dropped":0,"last_error":null,"sent":0,"state":"off"}"#)
        )
        #expect(await daemon.stop() == 0)
    }
}
