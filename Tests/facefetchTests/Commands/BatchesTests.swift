import ControlAPI
import Foundation
import TestSupport
import Testing

@Suite("facefetch batches, wait, doctor")
struct BatchesTests {
    @Test("Batches are listed with what has become of them, or the newest of them")
    func batches() async throws {
        var second = Samples.batch([3], states: ["done": 1])
        second.id = 2
        let pages = [Samples.batch([1, 2], states: ["failed": 1, "paused": 1]), second]
        let daemon = try ScriptedDaemon { _ in
            .json(PageJSON<BatchJSON>(items: pages, total: 2, hasMore: false, next: nil))
        }
        let all = try await ClientProcess.run(["batches", "--socket", daemon.socketPath])
        #expect(all.status == 0)
        #expect(all.lines.map { $0.filter { $0 != " " }.prefix(2) } == ["BA", "b1", "b2"])
        #expect(all.lines[1].hasSuffix(" 2     0       1          0     1  1 paused"), "\(all.lines)")
        let newest = try await ClientProcess.run([
            "batches", "--limit", "1", "--json", "--socket", daemon.socketPath,
        ])
        #expect(
            try newest.lines.map { try JSONDecoder().decode(BatchJSON.self, from: Data($0.utf8)) } == [second]
        )
        #expect(try await ClientProcess.run(["batches", "--limit", "0"]).status == 2)
    }

    /// A daemon with one batch, of which these jobs are, and that tells of these events.
    private func daemon(_ jobs: [JobJSON], events: [String] = []) throws -> ScriptedDaemon {
        try ScriptedDaemon { request in
            switch request.path {
            case "/v1/events": .events([": hello\n\n"] + events, then: .staysOpen)
            case "/v1/jobs": .json(Samples.page(jobs))
            case "/v1/batches/1": .json(Samples.batch(jobs.map(\.id)))
            case "/v1/jobs/2": .json(jobs[1])
            default: .problem(404, "no_such_job", "there is nothing of the kind")
            }
        }
    }

    @Test("What has ended already is not waited for, and only what happens from now on is told")
    func ended() async throws {
        let daemon = try daemon([Samples.job(1), Samples.job(2)])
        let result = try await ClientProcess.run(["wait", "b1", "--socket", daemon.socketPath])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines == ["Batch b1 ended: 2 files, 2 done, with 14 faces."])
        let stream = try #require(daemon.requests.first { $0.path == "/v1/events" })
        #expect(stream.headers["last-event-id"] == nil && stream.query["newest"] == nil)
    }

    @Test("One job is waited for by itself, and its failure ends it with 1")
    func job() async throws {
        let daemon = try daemon([Samples.job(1, state: "queued"), Samples.failedJob(2)])
        let result = try await ClientProcess.run(["wait", "j2", "--json", "--socket", daemon.socketPath])
        #expect(result.status == 1)
        let printed = try result.lines.map { try JSONDecoder().decode(JobJSON.self, from: Data($0.utf8)) }
        #expect(printed.map(\.id) == [2])
        #expect(result.errors.contains("did not end well"))
    }

    @Test("Jobs that are no longer known are not waited for, and end it with 1")
    func forgotten() async throws {
        let cases: [([JobJSON], String)] = [
            ([Samples.job(1)], "1 job of batch b1 is"), ([], "2 jobs of batch b1 are"),
        ]
        for (jobs, count) in cases {
            let daemon = try ScriptedDaemon { request in
                switch request.path {
                case "/v1/events": .events([": hello\n\n"], then: .staysOpen)
                case "/v1/jobs": .json(Samples.page(jobs))
                default: .json(Samples.batch([1, 2], states: ["done": jobs.count]))
                }
            }
            let result = try await ClientProcess.run(["wait", "b1", "--socket", daemon.socketPath])
            #expect(
                result.status == 1 && result.errors.contains("\(count) no longer known"),
                "\(result.errors)"
            )
        }
    }

    @Test("Where the daemon can't tell of the jobs at first, it is asked again")
    func unread() async throws {
        let asked = Counter()
        let daemon = try ScriptedDaemon { request in
            switch request.path {
            case "/v1/events": return .events([": hello\n\n"], then: .staysOpen)
            case "/v1/jobs" where asked.next() == 1: return .problem(503, "stopping", "it is going away")
            case "/v1/jobs": return .json(Samples.page([Samples.job(1)]))
            default: return .json(Samples.batch([1], states: ["paused": 1]))
            }
        }
        let result = try await ClientProcess.run(["wait", "b1", "--socket", daemon.socketPath])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("What isn't there ends it with 1, and what is neither batch nor job with 2")
    func missing() async throws {
        let daemon = try daemon([Samples.job(1)])
        #expect(try await ClientProcess.run(["wait", "b9", "--socket", daemon.socketPath]).status == 1)
        for wrong in [[], ["3"], ["x1"]] {
            #expect(try await ClientProcess.run(["wait"] + wrong).status == 2, "\(wrong)")
        }
    }

    @Test(
        "The doctor ends with 0 where nothing has to be done, with 1 where something has, and with 3 without a daemon"
    )
    func doctor() async throws {
        for (version, status) in [(ProductVersion.current, 0), ("0.0.1", 1)] as [(String, Int32)] {
            var sample = Samples.status
            sample.version = version
            let answer = sample
            let daemon = try ScriptedDaemon { request in
                request.path == "/v1/status" ? .json(answer) : .problem(404, "not_found", "nothing")
            }
            let result = try await ClientProcess.run(["doctor", "--socket", daemon.socketPath])
            #expect(result.status == status, "\(result.output)\(result.errors)")
            #expect(result.lines.first?.hasPrefix("ok       daemon     ") == true)
            #expect(result.output.contains("the sources can't be looked at"))
            let json = try await ClientProcess.run(["doctor", "--json", "--socket", daemon.socketPath])
            #expect(json.status == status)
            #expect(json.lines.first?.hasPrefix(#"{"about":"daemon","advice":null,"#) == true)
        }
        #expect(try await ClientProcess.run(["doctor", "--socket", "/nowhere/control.sock"]).status == 3)
    }
}
