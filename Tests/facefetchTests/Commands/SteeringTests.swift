import ControlAPI
import Foundation
import TestSupport
import Testing

@Suite("facefetch pause, resume, cancel, retry, detect, detection, pin, unpin")
struct SteeringTests {
    @Test(
        "Each job is steered, and its state told",
        arguments: ["pause", "resume", "cancel", "retry", "detect", "pin", "unpin"]
    )
    func jobs(command: String) async throws {
        let daemon = try ScriptedDaemon { request in
            .json(Samples.job(request.path.contains("/3/") ? 3 : 4, state: "paused"))
        }
        let result = try await ClientProcess.run([command, "j3", "4", "--socket", daemon.socketPath])
        #expect(result.status == 0)
        #expect(result.lines == ["j3 paused a.jpg", "j4 paused a.jpg"])
        #expect(daemon.requests.map(\.path) == ["/v1/jobs/3/\(command)", "/v1/jobs/4/\(command)"])
        #expect(daemon.requests.allSatisfy { $0.method == "POST" && $0.body.isEmpty })
    }

    @Test("All jobs are steered by one request")
    func all() async throws {
        let daemon = try ScriptedDaemon { _ in .json(SteeredJSON(changed: 3)) }
        let result = try await ClientProcess.run(["pause", "--all", "--socket", daemon.socketPath])
        #expect(result.output == "Paused 3 jobs.\n")
        #expect(daemon.requests.map(\.path) == ["/v1/jobs/pause"])
    }

    @Test("One job that there isn't doesn't keep the others, and ends with 1")
    func missing() async throws {
        let daemon = try ScriptedDaemon { request in
            request.path.contains("/3/")
                ? .problem(404, "no_such_job", "There is no job j3") : .json(Samples.job(4, state: "paused"))
        }
        let result = try await ClientProcess.run(["pause", "j3", "j4", "--socket", daemon.socketPath])
        #expect(result.status == 1)
        #expect(result.lines == ["j4 paused a.jpg"])
        #expect(result.errors == "facefetch: j3: There is no job j3.\n")
    }

    @Test("A retry carries the new URL, for one job only")
    func newURL() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.job(3, state: "queued")) }
        let result = try await ClientProcess.run([
            "retry", "j3", "--url", "http://h/new.jpg", "--socket", daemon.socketPath,
        ])
        #expect(result.status == 0)
        let body = try #require(daemon.requests.first?.body)
        #expect(try JSONDecoder().decode([String: String].self, from: body) == ["url": "http://h/new.jpg"])
        let two = try await ClientProcess.run(["retry", "j3", "j4", "--url", "http://h/new.jpg"])
        #expect(two.status == 2)
    }

    @Test("Detection carries the engine, for some jobs and for all; an engine there isn't ends with 2")
    func engine() async throws {
        let daemon = try ScriptedDaemon { request in
            request.path == "/v1/jobs/detect"
                ? .json(SteeredJSON(changed: 3)) : .json(Samples.job(3, state: "stored"))
        }
        for selection in ["j3", "--all"] {
            let arguments = ["detect", selection, "--engine", "yunet", "--socket", daemon.socketPath]
            #expect(try await ClientProcess.run(arguments).status == 0)
        }
        #expect(daemon.requests.map(\.path) == ["/v1/jobs/3/detect", "/v1/jobs/detect"])
        for request in daemon.requests {
            #expect(
                try JSONDecoder().decode([String: String].self, from: request.body) == ["engine": "yunet"]
            )
        }
        #expect(try await ClientProcess.run(["detect", "j3", "--engine", "magic"]).status == 2)
    }

    @Test("The gate is held and released")
    func gate() async throws {
        let daemon = try ScriptedDaemon { request in
            .json(GateJSON(gate: request.path.hasSuffix("hold") ? "held" : "open"))
        }
        let hold = try await ClientProcess.run(["detection", "hold", "--socket", daemon.socketPath])
        #expect(hold.output == "Face detection is held.\n")
        let release = try await ClientProcess.run(["detection", "release", "--socket", daemon.socketPath])
        #expect(release.output == "Face detection is open.\n")
        #expect(daemon.requests.map(\.path) == ["/v1/detection/hold", "/v1/detection/release"])
    }
}
