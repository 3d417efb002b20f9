import ControlAPI
import Glibc
import JobCore
import JobEngine
import TestSupport
import Testing

@testable import ControlServer

@Suite("Reading and steering jobs")
struct JobRoutesTests {
    @Test("jobs come in pages that go on where the last ended, and are narrowed by state and batch")
    func lists() async throws {
        try await withServer { server in
            try await server.addFiles(3)
            try await server.addFiles(2)
            _ = try await server.send("POST", "/v1/jobs/2/pause")
            let first: PageJSON<JobJSON> = try await server.send("GET", "/v1/jobs?limit=2").decoded()
            #expect(first.items.map(\.id) == [1, 2] && first.total == 5 && first.hasMore)
            let after = try #require(first.next)
            let next: PageJSON<JobJSON> = try await server.send("GET", "/v1/jobs?limit=1000&after=\(after)")
                .decoded()
            #expect(next.items.map(\.id) == [3, 4, 5] && !next.hasMore && next.next == nil)
            let paused: PageJSON<JobJSON> = try await server.send("GET", "/v1/jobs?state=paused").decoded()
            #expect(paused.items.map(\.id) == [2])
            let second: PageJSON<JobJSON> = try await server.send("GET", "/v1/jobs?batch=2&state=queued")
                .decoded()
            #expect(second.items.map(\.id) == [4, 5])
            let found: PageJSON<JobJSON> = try await server.send("GET", "/v1/jobs?q=org%2F2").decoded()
            #expect(found.items.map(\.id) == [2, 5] && found.total == 2)
        }
    }

    @Test(
        "parameters without sense are refused, never guessed",
        arguments: [
            "limit=0", "limit=1001", "limit=ten", "limit=", "limit=%31", "after=-1", "after=+1", "after=01",
            "state=ready",
            "batch=0", "batch=99999999999999999999", "stat=queued", "limit=1&limit=2", "q=",
            "q=" + String(repeating: "a", count: 257),
        ]
    )
    func refusesParameters(query: String) async throws {
        try await withServer { server in
            let response = try await server.send("GET", "/v1/jobs?" + query)
            // %31 is a 1, and so the one that is right.
            #expect(response.status == (query == "limit=%31" ? 200 : 400))
            if response.status == 400 {
                let problem = try response.decoded(as: ProblemJSON.self)
                #expect(problem.code == "invalid_parameter")
            }
        }
    }

    @Test(
        "each way to steer a job answers with the job as it now is",
        arguments: [
            ("pause", "paused", SteeringAction.pause), ("resume", "queued", .resume),
            ("cancel", "cancelled", .cancel),
            ("retry", "queued", .retry(url: nil, by: geteuid())),
        ]
    )
    func steers(name: String, state: String, action: SteeringAction) async throws {
        try await withServer { server in
            try await server.addFiles(1)
            let response = try await server.send("POST", "/v1/jobs/1/" + name)
            #expect(response.status == 200)
            let job = try response.decoded(as: JobJSON.self)
            #expect(job.state.text == state)
            let all: SteeredJSON = try await server.send("POST", "/v1/jobs/" + name).decoded()
            #expect(all.changed == 1)
            // All keep their URLs, whoever asks.
            let toAll = name == "retry" ? SteeringAction.retry(url: nil) : action
            #expect(server.engine.state.withLock { $0.steered } == [action, toAll])
            let missing = try await server.send("POST", "/v1/jobs/9/" + name)
            #expect(missing.status == 404)
            let problem = try missing.decoded(as: ProblemJSON.self)
            #expect(problem.code == "no_such_job")
        }
    }

    @Test("a retry may bring a new URL, and nothing else")
    func retriesWithURL() async throws {
        try await withServer { server in
            try await server.addFiles(1)
            let job: JobJSON = try await server.send(
                "POST",
                "/v1/jobs/1/retry",
                #"{"url":"https://example.org/new.jpg"}"#
            ).decoded()
            #expect(job.url == "https://example.org/new.jpg")
            for body in [#"{"url":"ftp://e.org"}"#, #"{"link":"http://e.org"}"#, #"{"url":1}"#, "[]"] {
                let refused = try await server.send("POST", "/v1/jobs/1/retry", body)
                #expect(refused.status == 422)
            }
        }
    }

    @Test("what a job's state does not allow is 409 with the reason")
    func refusesSteering() async throws {
        try await withServer { server in
            try await server.addFiles(1)
            let response = try await server.send("POST", "/v1/jobs/1/detect")
            #expect(response.status == 409)
            let problem = try response.decoded(as: ProblemJSON.self)
            #expect(problem.code == "not_possible" && problem.detail == "job 1 has no document yet")
        }
    }

    @Test("a priority is changed within its limits")
    func prioritizes() async throws {
        try await withServer { server in
            try await server.addFiles(1)
            let job: JobJSON = try await server.send("PATCH", "/v1/jobs/1", #"{"priority":-100}"#).decoded()
            #expect(job.priority == -100)
            for body in [
                #"{"priority":101}"#, #"{"priority":"1"}"#, #"{"priority":1.5}"#, "{}", #"{"state":"done"}"#,
            ] {
                let refused = try await server.send("PATCH", "/v1/jobs/1", body)
                #expect(refused.status == 422)
            }
        }
    }

    @Test("a job that is downloading shows how far its transfer is now")
    func showsLive() async throws {
        try await withServer { server in
            try await server.addFiles(1)
            server.engine.state.withLock { state in
                let id = JobID(rawValue: 1)
                state.jobs[id]?.state = .downloading
                state.jobs[id]?.bytes = 10
                state.live[id] = LiveTransfer(bytes: 333, total: 1000, bytesPerSecond: 12.5)
            }
            let job: JobJSON = try await server.send("GET", "/v1/jobs/1").decoded()
            #expect(
                job.bytes == 333 && job.totalBytes == 1000 && job.percent == 33 && job.bytesPerSecond == 12.5
            )
        }
    }

    @Test("a finished job shows its document, its faces and the time it took")
    func showsFinished() async throws {
        try await withServer { server in
            try await server.addFiles(1)
            server.engine.state.withLock { state in
                let id = JobID(rawValue: 1)
                state.jobs[id]?.state = .done
                state.jobs[id]?.path = "/documents/a.jpg"
                state.jobs[id]?.bytes = 1000
                state.jobs[id]?.totalBytes = 1000
                state.jobs[id]?.finishedAt = InMemoryEngine.start.adding(seconds: 1.25)
                state.jobs[id]?.detection = DetectionResult(
                    outcome: .counted,
                    faces: [Face(x: 1, y: 2, width: 3, height: 4, confidence: 0.5)],
                    engine: "haar",
                    parameters: "p",
                    seconds: 0.1
                )
            }
            let response = try await server.send("GET", "/v1/jobs/1")
            #expect(response.text.contains("\"path\":\"/documents/a.jpg\""))
            let job = try response.decoded(as: JobJSON.self)
            #expect(job.percent == 100 && job.elapsed == 1.25 && job.finishedAt != nil)
            #expect(job.detection?.faceCount == 1 && job.detection?.faces.first?.width == 3)
        }
    }

    @Test("detection may name an engine, for one job and for all, and nothing else")
    func detectsWithEngine() async throws {
        try await withServer { server in
            try await server.addFiles(1)
            let job = JobID(rawValue: 1)
            server.engine.state.withLock { $0.jobs[job]?.path = "/d/a.jpg" }
            let bodies: [(String, DetectionEngine?)] = [
                ("", nil), ("{}", nil), (#"{"engine":null}"#, nil), (#"{"engine":"haar"}"#, .haar),
                (#"{"engine":"yunet"}"#, .yunet),
            ]
            for path in ["/v1/jobs/1/detect", "/v1/jobs/detect"] {
                for (body, engine) in bodies {
                    #expect(try await server.send("POST", path, body).status == 200)
                    #expect(server.engine.state.withLock { $0.steered.last } == .detect(engine: engine))
                }
                for body in [#"{"engine":"magic"}"#, #"{"engine":1}"#, #"{"url":"http://h/"}"#, "[]"] {
                    #expect(try await server.send("POST", path, body).status == 422, "\(body)")
                }
            }
            server.engine.state.withLock { $0.refusal = .noSuchEngine(.yunet) }
            let refused = try await server.send("POST", "/v1/jobs/detect", #"{"engine":"yunet"}"#)
            let problem = try refused.decoded(as: ProblemJSON.self)
            #expect(refused.status == 409 && problem.detail.contains("detection.model"))
        }
    }

    @Test("holding and releasing detection answers with the gate")
    func gate() async throws {
        try await withServer { server in
            let held: GateJSON = try await server.send("POST", "/v1/detection/hold").decoded()
            #expect(held.gate == "held")
            let status: StatusJSON = try await server.send("GET", "/v1/status").decoded()
            #expect(status.detection.gate == "held" && status.version == "1.2.3" && status.state == "running")
            #expect(status.uptime == 5 && status.jobs.count == JobState.allCases.count)
            let open: GateJSON = try await server.send("POST", "/v1/detection/release").decoded()
            #expect(open.gate == "open")
        }
    }

    @Test("a store that can't be read is 500, without its inner words")
    func broken() async throws {
        try await withServer { server in
            server.engine.state.withLock { $0.isBroken = true }
            let response = try await server.send("GET", "/v1/jobs/1")
            #expect(response.status == 500)
            #expect(!response.text.contains("Broken"))
        }
    }
}
