import ControlAPI
import Foundation
import TestSupport
import Testing

@testable import facefetch

@Suite("facefetch pause, resume, cancel, retry, detect, detection, pin, unpin")
struct SteeringTests {
    @Test(
        "Each job is steered, and what was done is told",
        arguments: [
            ("pause", "is paused"), ("resume", "goes on"), ("cancel", "is cancelled"),
            ("retry", "is tried again"), ("detect", "is looked at again"), ("pin", "is pinned"),
            ("unpin", "is no longer pinned"),
        ]
    )
    func jobs(command: String, done: String) async throws {
        let daemon = try ScriptedDaemon { request in
            .json(Samples.job(request.path.contains("/3/") ? 3 : 4, state: "paused"))
        }
        let result = try await ClientProcess.run([command, "j3", "4", "--socket", daemon.socketPath])
        #expect(result.status == 0)
        #expect(result.lines == ["j3 \(done): a.jpg", "j4 \(done): a.jpg"])
        let posts = daemon.requests.filter { $0.method == "POST" }
        #expect(posts.map(\.path) == ["/v1/jobs/3/\(command)", "/v1/jobs/4/\(command)"])
        #expect(posts.allSatisfy { $0.body.isEmpty })
        // Only a retry looks first whether there is something to try again.
        let looks = daemon.requests.filter { $0.method == "GET" }.map(\.path)
        #expect(looks == (command == "retry" ? ["/v1/jobs/3", "/v1/jobs/4"] : []))
        #expect(posts.count + looks.count == daemon.requests.count)
    }

    @Test("All jobs are steered by one request")
    func all() async throws {
        let daemon = try ScriptedDaemon { _ in .json(SteeredJSON(changed: 3)) }
        let result = try await ClientProcess.run(["pause", "--all", "--socket", daemon.socketPath])
        #expect(result.output == "3 jobs are paused.\n")
        #expect(daemon.requests.map(\.path) == ["/v1/jobs/pause"])
        #expect(daemon.requests.first?.query.isEmpty == true)
    }

    @Test("What a filter lets through is steered by one request, and nothing that matches ends with 1")
    func filters() async throws {
        let daemon = try ScriptedDaemon { request in
            switch request.query["batch"] {
            case "7": .problem(404, "no_such_batch", "There is no batch b7")
            case "2": .json(SteeredJSON(changed: 0, matched: 0))
            case "3": .json(SteeredJSON(changed: 0, matched: 4))
            default:
                request.path == "/v1/batches/2"
                    ? .json(Samples.batch([1])) : .json(SteeredJSON(changed: 1, matched: 3))
            }
        }
        func run(_ arguments: String...) async throws -> ClientProcess.Result {
            try await ClientProcess.run(arguments + ["--socket", daemon.socketPath])
        }
        let some = try await run(
            "retry",
            "--source",
            "mars",
            "--state",
            "failed",
            "--match",
            "a b",
            "--meta",
            "k=v",
            "--min-faces",
            "2"
        )
        #expect(some.status == 0, "\(some.errors)")
        #expect(some.output == "1 job is tried again. The other 2 that match stay as they are.\n")
        let asked = try #require(daemon.requests.first)
        #expect(asked.path == "/v1/jobs/retry" && asked.method == "POST")
        #expect(
            asked.query == [
                "source": "mars", "state": "failed", "q": "a b", "meta.k": "v", "faces_min": "2",
            ]
        )
        let none = try await run("pause", "--batch", "b2")
        #expect(none.status == 1 && none.errors == "facefetch: No job matches: nothing was done.\n")
        let idle = try await run("pause", "--batch", "b3")
        #expect(idle.status == 0 && idle.output.hasPrefix("There was nothing to do: 4 jobs match"))
        let missing = try await run("cancel", "--batch", "b7")
        #expect(missing.status == 1 && missing.errors == "facefetch: There is no batch b7.\n")
    }

    @Test(
        "Jobs, all of them, or a filter: one of the three",
        arguments: [
            [], ["j3", "--all"], ["j3", "--batch", "b1"], ["--all", "--state", "failed"],
            ["--state", "ready"],
            ["--outcome", "fine"], ["--min-faces", "-1"],
        ]
    )
    func usage(arguments: [String]) async throws {
        for command in ["pause", "resume", "cancel", "retry", "detect", "pin", "unpin"] {
            #expect(try await ClientProcess.run([command] + arguments).status == 2, "\(command)")
        }
    }

    @Test("What was not begun by a retry, and what a cancellation leaves, is said as it is")
    func words() {
        #expect(
            SteeringWords.line(.retry, Samples.job(3, state: "downloading"))
                == "j3 is under way already: a.jpg"
        )
        #expect(
            SteeringWords.line(.cancel, Samples.job(3))
                == "j3 is no longer looked at, and keeps its earlier result: a.jpg"
        )
        #expect(SteeringWords.sentence(.retry, 1) == "1 job is tried again.")
        #expect(SteeringWords.sentence(.resume, 2, matched: 2) == "2 jobs go on.")
        #expect(SteeringWords.sentence(.detect, 0) == "There was nothing to do.")
    }

    @Test("A retry of what is on its way already says so, and of what rested that it is tried again")
    func nothingToRetry() async throws {
        let daemon = try ScriptedDaemon { request in
            let id: Int64 = request.path.contains("/3") ? 3 : 4
            let isFailed = id == 4 && request.method == "GET"
            return .json(isFailed ? Samples.failedJob(4) : Samples.job(id, state: "queued"))
        }
        let result = try await ClientProcess.run(["retry", "j3", "j4", "--socket", daemon.socketPath])
        #expect(result.status == 0)
        #expect(result.lines == ["j3 is in the queue already: a.jpg", "j4 is tried again: a.jpg"])
        #expect(
            SteeringWords.line(.retry, Samples.job(3, state: "stored"), before: .stored)
                == "j3 is stored already, and waits to be looked at: a.jpg"
        )
        #expect(
            SteeringWords.line(.retry, Samples.job(3, state: "downloading"), before: .failed)
                == "j3 is tried again: a.jpg"
        )
    }

    @Test("One job that there isn't doesn't keep the others, and ends with 1")
    func missing() async throws {
        let daemon = try ScriptedDaemon { request in
            request.path.contains("/3/")
                ? .problem(404, "no_such_job", "There is no job j3") : .json(Samples.job(4, state: "paused"))
        }
        let result = try await ClientProcess.run(["pause", "j3", "j4", "--socket", daemon.socketPath])
        #expect(result.status == 1)
        #expect(result.lines == ["j4 is paused: a.jpg"])
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
