import ControlAPI
import Foundation
import TestSupport
import Testing

@Suite("facefetch forget")
struct ForgetTests {
    private func run(
        _ arguments: [String],
        _ answer: ForgottenJSON
    ) async throws -> (ClientProcess.Result, [ForgetRequest]) {
        let daemon = try ScriptedDaemon { _ in .json(answer) }
        let result = try await ClientProcess.run(["forget"] + arguments + ["--socket", daemon.socketPath])
        #expect(daemon.requests.allSatisfy { $0.method == "POST" && $0.path == "/v1/jobs/forget" })
        return (
            result, try daemon.requests.map { try JSONDecoder().decode(ForgetRequest.self, from: $0.body) }
        )
    }

    @Test("Jobs are named, once each")
    func jobs() async throws {
        let (result, requests) = try await run(["j3", "1", "j3"], ForgottenJSON(forgotten: 2, kept: 0))
        #expect(result.status == 0 && result.output == "Forgot 2 jobs.\n")
        #expect(requests == [ForgetRequest(ids: [1, 3])])
    }

    @Test("What is under way, or doesn't exist, is said")
    func kept() async throws {
        let (kept, _) = try await run(["j3", "j4"], ForgottenJSON(forgotten: 1, kept: 1))
        #expect(kept.status == 1 && kept.errors.contains("1 job under way"))
        let (missing, _) = try await run(["j3", "j4"], ForgottenJSON(forgotten: 1, kept: 0))
        #expect(missing.status == 1 && missing.errors.contains("don't exist"))
        let (batch, requests) = try await run(["--batch", "b7"], ForgottenJSON(forgotten: 0, kept: 2))
        #expect(batch.status == 0 && batch.output == "There was nothing to forget.\n")
        #expect(batch.errors.contains("2 jobs under way"))
        #expect(requests == [ForgetRequest(batch: 7)])
    }

    @Test("A time is one in the past, as people say it")
    func time() async throws {
        let (result, requests) = try await run(
            ["--ended-before", "2026-11-21T06:45:00Z", "--json"],
            ForgottenJSON(forgotten: 5, kept: 0)
        )
        #expect(result.status == 0 && result.output == #"{"forgotten":5,"kept":0}"# + "\n")
        #expect(requests.first?.endedBefore?.hasPrefix("2026-11-21T06:45:00") == true)
    }

    @Test("A filter goes to the daemon, and one that nothing matches ends with 1")
    func filter() async throws {
        let daemon = try ScriptedDaemon { request in
            .json(ForgottenJSON(forgotten: request.query["state"] == "failed" ? 2 : 0, kept: 0))
        }
        let some = try await ClientProcess.run([
            "forget", "--batch", "b1", "--state", "failed", "--socket", daemon.socketPath,
        ])
        #expect(some.status == 0 && some.output == "Forgot 2 jobs.\n")
        let asked = try #require(daemon.requests.first)
        #expect(asked.query == ["batch": "1", "state": "failed"] && asked.body.isEmpty)
        let none = try await ClientProcess.run(["forget", "--match", "x", "--socket", daemon.socketPath])
        #expect(none.status == 1 && none.errors == "facefetch: No job matches: nothing was forgotten.\n")
    }

    @Test(
        "One way to say which, and no other",
        arguments: [
            [], ["j1", "--batch", "b1"], ["--batch", "b1", "--ended-before", "1d"],
            ["--ended-before", "never"], ["x"], ["--all", "j1"], ["--all", "--state", "failed"],
        ]
    )
    func usage(arguments: [String]) async throws {
        #expect(try await ClientProcess.run(["forget"] + arguments).status == 2)
    }
}
