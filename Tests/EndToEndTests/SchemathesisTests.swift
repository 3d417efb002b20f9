import Dispatch
import Foundation
import TestSupport
import Testing

@Suite("The API against its description, by a property-based client")
struct SchemathesisTests {
    /// The client: https://schemathesis.io, from PyPI.
    ///
    /// `FACEFETCH_SCHEMATHESIS` names it where it isn't in the path and
    /// `scripts/install-schemathesis` has not been run.
    private static let program: String? = {
        if let named = ProcessInfo.processInfo.environment["FACEFETCH_SCHEMATHESIS"] { return named }
        let installed = Repository.path(".build/schemathesis/bin/schemathesis")
        if FileManager.default.isExecutableFile(atPath: installed) { return installed }
        return Shell.find("schemathesis")
    }()

    @Test(
        "no 500, no undocumented status, no schema violation, at the real daemon",
        .enabled(if: program != nil, "needs schemathesis: run scripts/install-schemathesis"),
        .timeLimit(.minutes(10))
    )
    func conforms() async throws {
        let program = try #require(Self.program)
        let installation = try Installation()
        // URLs are made up: a proxy that nobody answers at keeps them from being looked up anywhere.
        let nowhere = "http://127.0.0.1:9"
        let daemon = try await installation.startDaemon(environment: [
            "http_proxy": nowhere, "https_proxy": nowhere, "no_proxy": "",
        ])
        let bridge = try LoopbackBridge(to: installation.socket)
        defer { bridge.stop() }
        let arguments = [
            program, "--config-file", Repository.path("scripts/schemathesis/schemathesis.toml"), "run",
            "http://localhost:\(bridge.port)/v1/openapi.json", "--no-color", "--generation-database", "none",
        ]
        let result = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try Shell.run(
                            arguments,
                            environment: [
                                "SCHEMATHESIS_HOOKS": Repository.path("scripts/schemathesis/hooks.py")
                            ]
                        )
                    }
                )
            }
        }
        #expect(result.status == 0, "\(result.output.suffix(20_000))")
        #expect(await daemon.stop() == 0)
    }
}
