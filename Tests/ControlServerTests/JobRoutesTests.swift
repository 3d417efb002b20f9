import ControlAPI
import Glibc
import JobEngine
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import ControlServer

@Suite("Reading and steering jobs")
struct JobRoutesTests {
    private static let tooManyIDs = "ids=1" + String(repeating: ",2", count: 500)
    private static let tooLongKey = "meta." + String(repeating: "a", count: 257) + "=1"
    private static let tooManyMembers = (1...17).map { "meta.k\($0)=1" }.joined(separator: "&")

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
            #expect(found.items.map(\.id) == [2, 5] && found.total == nil)
        }
    }

    @Test("jobs are narrowed by source, by what is known of them, by faces and by name, and turned round")
    func filters() async throws {
        try await withServer { server in
            for number in 1...4 {
                var options = JobOptions(source: number % 2 == 0 ? "mars & moon" : nil)
                options.meta = try JobMeta([
                    (key: "camera x", value: "F+\(number)"), (key: "all", value: "1"),
                ])
                let item = NewJob(url: try JobURL("http://example.org/\(number).jpg"), options: options)
                _ = try await server.engine.engine.submit(Submission(items: [item], submittedBy: nil))
            }
            try await server.engine.store(1)
            try await server.engine.look(1, faces: [Face(x: 1, y: 2, width: 3, height: 4, confidence: 0.5)])
            for (query, ids) in [
                ("source=mars%20%26%20moon", [2, 4]), ("source=mars", []), ("meta.all=1", [1, 2, 3, 4]),
                ("meta.camera%20x=F%2B3", [3]), ("meta.all=1&meta.camera%20x=F%2B2", [2]),
                ("meta.all=1&meta.all=2", []), ("meta.camera=F", []), ("faces_min=1", [1]),
                ("faces_min=2", []),
                ("ids=4,1,77", [1, 4]), ("order=newest", [4, 3, 2, 1]), ("order=newest&after=3&limit=1", [2]),
                ("order=oldest&source=mars%20%26%20moon&limit=1", [2]),
                ("ended_after=0&meta.all=1", [1]), ("ended_after=0&ids=2", []),
                ("outcome=counted", [1]), ("outcome=unreadable", []),
            ] as [(String, [Int64])] {
                let response = try await server.send("GET", "/v1/jobs?" + query)
                #expect(response.status == 200, "\(query)")
                #expect(try response.decoded(as: PageJSON<JobJSON>.self).items.map(\.id) == ids, "\(query)")
            }
        }
    }

    @Test("what a filter lets through is steered, and nothing else; a state that is named is taken as it is")
    func steersByFilter() async throws {
        try await withServer { server in
            for source in [nil, "mars", "mars", nil] {
                let item = NewJob(
                    url: try JobURL("http://example.org/\(source ?? "none").jpg"),
                    options: JobOptions(source: source)
                )
                _ = try await server.engine.engine.submit(Submission(items: [item], submittedBy: nil))
            }
            for (target, answer, states) in [
                ("pause?source=mars", SteeredJSON(changed: 2, matched: 2), "qppq"),
                ("pause?source=mars", SteeredJSON(changed: 0, matched: 2), "qppq"),
                ("pause?source=venus", SteeredJSON(changed: 0, matched: 0), "qppq"),
                ("cancel?q=none&batch=4", SteeredJSON(changed: 1, matched: 1), "qppc"),
                ("retry?batch=4", SteeredJSON(changed: 0, matched: 1), "qppc"),
                ("retry?state=cancelled", SteeredJSON(changed: 1, matched: 1), "qppq"),
                ("resume?ids=2,4", SteeredJSON(changed: 1, matched: 2), "qqpq"),
                ("resume", SteeredJSON(changed: 1), "qqqq"),
            ] {
                let said: SteeredJSON = try await server.send("POST", "/v1/jobs/" + target).decoded()
                #expect(said == answer, "\(target)")
                let page: PageJSON<JobJSON> = try await server.send("GET", "/v1/jobs").decoded()
                // What has the permit is queued for those who look.
                let letters = page.items.map {
                    $0.state == .downloading ? "q" : String($0.state.text.prefix(1))
                }
                #expect(letters.joined() == states, "\(target)")
            }
            #expect(try await server.send("POST", "/v1/jobs/pause?batch=9").status == 404)
            #expect(try await server.send("POST", "/v1/jobs/pause?limit=9").status == 400)
        }
    }

    @Test("jobs that are named are on one page, unless a limit is given")
    func named() async throws {
        try await withServer { server in
            try await server.addFiles(150)
            let all = (1...150).map(String.init).joined(separator: ",")
            for (query, count) in [("ids=\(all)", 150), ("ids=\(all)&limit=2", 2), ("order=newest", 100)] {
                let page: PageJSON<JobJSON> = try await server.send("GET", "/v1/jobs?" + query).decoded()
                #expect(page.items.count == count && page.total == 150)
            }
        }
    }

    @Test(
        "parameters without sense are refused, never guessed",
        arguments: [
            "limit=0", "limit=1001", "limit=ten", "limit=", "limit=%31", "after=-1", "after=+1", "after=01",
            "state=ready",
            "batch=0", "batch=99999999999999999999", "stat=queued", "limit=1&limit=2", "q=",
            "q=" + String(repeating: "a", count: 257), "source=", "faces_min=-1", "faces_min=many",
            "order=up", "outcome=fine",
            "ids=", "ids=0", "ids=1,", "ids=1,x", tooManyIDs, "meta=1", "meta.=1", "metal=1", tooLongKey,
            tooManyMembers,
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
        "each way to steer answers with the job as it now is, or with how many changed",
        arguments: [
            ("pause", "paused", nil), ("resume", "queued", "pause"), ("cancel", "cancelled", nil),
        ]
    )
    func steers(name: String, state: String, before: String?) async throws {
        try await withServer { server in
            // The first has the permit.
            try await server.addFiles(3)
            if let before { _ = try await server.send("POST", "/v1/jobs/" + before) }
            if let before { #expect(try await server.job(1).state.text.hasPrefix(before)) }
            let response = try await server.send("POST", "/v1/jobs/3/" + name)
            #expect(response.status == 200)
            #expect(try response.decoded(as: JobJSON.self).state.text == state)
            let all: SteeredJSON = try await server.send("POST", "/v1/jobs/" + name).decoded()
            #expect(all.changed == 2)
            #expect(try await server.job(2).state.text == state)
            let missing = try await server.send("POST", "/v1/jobs/9/" + name)
            #expect(missing.status == 404)
            #expect(try missing.decoded(as: ProblemJSON.self).code == "no_such_job")
        }
    }

    @Test("a retry is for what was cancelled, and for all that failed")
    func retries() async throws {
        try await withServer { server in
            try await server.addFiles(3)
            _ = try await server.send("POST", "/v1/jobs/3/cancel")
            let job: JobJSON = try await server.send("POST", "/v1/jobs/3/retry").decoded()
            #expect(job.state == .queued)
            try await server.engine.end(1, .refused(JobFailure(.timedOut, "it took too long")))
            #expect(try await server.job(1).error?.code == "timed_out")
            let all: SteeredJSON = try await server.send("POST", "/v1/jobs/retry").decoded()
            #expect(all.changed == 1)
            #expect(try await server.job(1).state == .queued)
        }
    }

    @Test("a retry with a new URL is its user's own: another's header fields go, but for root")
    func retriesAsUser() async throws {
        try await withServer { server in
            let item = NewJob(
                url: try JobURL("http://example.org/a"),
                options: JobOptions(headers: [try RequestHeader(name: "Cookie", value: "s3cret")])
            )
            _ = try await server.engine.engine.submit(Submission(items: [item], submittedBy: 4711))
            let retry = try await server.send(
                "POST",
                "/v1/jobs/1/retry",
                #"{"url":"http://example.org/b"}"#
            )
            #expect(retry.status == 200)
            let job = try #require(try server.engine.store.jobs([JobID(rawValue: 1)]).first)
            #expect(job.headers.isEmpty == (geteuid() != 0))
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
            #expect(problem.code == "not_possible" && problem.detail.contains("no document"))
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
            try await server.engine.arrive(1, bytes: 333, of: 1000)
            let job = try await server.job(1)
            #expect(job.state == .downloading && job.bytes == 333 && job.totalBytes == 1000)
            #expect(job.percent == 33 && job.bytesPerSecond != nil)
            let page: PageJSON<JobJSON> = try await server.send("GET", "/v1/jobs").decoded()
            #expect(page.items.map(\.bytes) == [333])
        }
    }

    @Test("a finished job shows its document, its faces and the time it took")
    func showsFinished() async throws {
        try await withServer { server in
            try await server.addFiles(1)
            server.engine.pass(seconds: 100)
            try await server.engine.store(1)
            try await server.engine.look(
                1,
                faces: [Face(x: 1, y: 2, width: 3, height: 4, confidence: 0.5)],
                picture: SeenPicture(width: 40, height: 30, orientation: 8, format: "webp")
            )
            let response = try await server.send("GET", "/v1/jobs/1")
            #expect(response.text.contains("\"path\":\"/documents/1.jpg\""))
            let job = try response.decoded(as: JobJSON.self)
            #expect(job.state == .done && job.percent == 100 && job.finishedAt != nil)
            // The server's clock is ahead: what has ended goes by when it ended.
            let later = try await server.job(1)
            #expect(job.elapsed >= 100 && job.elapsed == later.elapsed)
            #expect(job.detection?.width == 40 && job.detection?.height == 30)
            #expect(job.detection?.orientation == 8 && job.detection?.format == "webp")
            #expect(job.detection?.faceCount == 1 && job.detection?.faces.first?.width == 3)
        }
    }

    @Test("detection may name an engine, for one job and for all, and nothing else")
    func detectsWithEngine() async throws {
        try await withServer(engine: try await RunningEngine(engines: [.haar, .yunet])) { server in
            try await server.addFiles(1)
            try await server.engine.store(1)
            try await server.engine.look(1, faces: [])
            let bodies: [(String, DetectionEngine?)] = [
                ("", nil), ("{}", nil), (#"{"engine":null}"#, nil), (#"{"engine":"haar"}"#, .haar),
                (#"{"engine":"yunet"}"#, .yunet),
            ]
            for path in ["/v1/jobs/1/detect", "/v1/jobs/detect"] {
                for (body, engine) in bodies {
                    #expect(try await server.send("POST", path, body).status == 200)
                    #expect(server.engine.outside.all.engines.last == .some(engine), "\(path) \(body)")
                    try await server.engine.look(1, faces: [], engine: engine?.rawValue ?? "haar")
                }
                for body in [#"{"engine":"magic"}"#, #"{"engine":1}"#, #"{"url":"http://h/"}"#, "[]"] {
                    #expect(try await server.send("POST", path, body).status == 422, "\(body)")
                }
            }
        }
    }

    @Test("an engine that the daemon doesn't have is refused with what to do about it")
    func refusesEngine() async throws {
        try await withServer { server in
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
            #expect(status.uptime >= 5 && status.jobs.count == JobState.allCases.count)
            let open: GateJSON = try await server.send("POST", "/v1/detection/release").decoded()
            #expect(open.gate == "open")
        }
    }

    @Test("a store that can't be read is 500, without its inner words")
    func broken() async throws {
        try await withServer { server in
            try server.engine.store.real.close()
            let response = try await server.send("GET", "/v1/jobs/1")
            #expect(response.status == 500)
            #expect(!response.text.contains("SQL"))
        }
    }
}
