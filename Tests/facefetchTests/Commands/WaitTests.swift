import ControlAPI
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("facefetch add --wait")
struct WaitTests {
    /// A daemon whose batch has these jobs in the end, and these events.
    private func daemon(
        _ jobs: [JobJSON],
        events: [String],
        then: ScriptedDaemon.StreamEnd = .staysOpen
    ) throws -> ScriptedDaemon {
        try ScriptedDaemon { request in
            switch (request.method, request.path) {
            case ("POST", _): .json(Samples.batch(jobs.map(\.id)), status: 201)
            case (_, "/v1/events"): .events(events, then: then)
            // By ascending id, as the API has it.
            case (_, "/v1/jobs"): .json(Samples.page(jobs.sorted { $0.id < $1.id }))
            default: .json(Samples.batch(jobs.map(\.id), states: ["downloading": jobs.count]))
            }
        }
    }

    @Test("In a pipe it prints the event lines from the elapsed seconds on, and ends with 0")
    func pipe() async throws {
        let daemon = try daemon([Samples.job(1)], events: Samples.story().map(Samples.piece))
        let result = try await ClientProcess.run([
            "add", "--wait", "http://h/a.jpg", "--socket", daemon.socketPath,
        ])
        #expect(result.status == 0)
        #expect(
            result.lines == [
                "0.000 started download of https://example.org/a.jpg",
                "0.091 downloading \"a.jpg\", 10% done",
                "0.791 stored \"a.jpg\" at /documents/a.jpg",
                "0.791 started face detection in \"a.jpg\"",
                "0.999 finished face detection in \"a.jpg\": 7 faces",
            ]
        )
        let stream = try #require(daemon.requests.first { $0.path == "/v1/events" })
        #expect(stream.query["batch"] == "1")
        #expect(stream.headers["last-event-id"] == "0")
    }

    @Test("With JSON it prints the finished jobs in the order of the items")
    func json() async throws {
        let jobs = [Samples.job(2, name: "b.jpg"), Samples.job(1)]
        let events = Samples.story(job: 2) + Samples.story(job: 1, from: 6)
        let daemon = try daemon(jobs, events: events.map(Samples.piece))
        let result = try await ClientProcess.run([
            "add", "--wait", "--json", "http://h/b.jpg", "http://h/a.jpg", "--socket", daemon.socketPath,
        ])
        #expect(result.status == 0)
        let printed = try result.lines.map { try JSONDecoder().decode(JobJSON.self, from: Data($0.utf8)) }
        #expect(printed == jobs)
    }

    @Test("A failed file ends it with 1, and is named")
    func failed() async throws {
        let events = [
            Samples.event(1, "failed", "failed download of https://example.org/b.jpg: http_404, no") {
                $0.code = "http_404"
            }
        ]
        let daemon = try daemon([Samples.failedJob(1)], events: events.map(Samples.piece))
        let result = try await ClientProcess.run([
            "add", "--wait", "http://h/b.jpg", "--socket", daemon.socketPath,
        ])
        #expect(result.status == 1)
        #expect(result.errors.contains("1 of 1 file did not end well; j1, \"b.jpg\", http_404: The server"))
    }

    @Test("It goes on where it was when the connection breaks, without a gap or a repeat")
    func reconnects() async throws {
        let story = Samples.story()
        let connections = Counter()
        let daemon = try ScriptedDaemon { request in
            switch (request.method, request.path) {
            case ("POST", _): return .json(Samples.batch([1]), status: 201)
            case (_, "/v1/events"):
                guard connections.next() > 1 else {
                    return .events(story.prefix(2).map(Samples.piece), then: .breaks)
                }
                // One more than was asked for, as a replay by whole turns may have.
                let last = Int64(request.headers["last-event-id"] ?? "") ?? 0
                return .events(story.filter { $0.id >= last }.map(Samples.piece), then: .staysOpen)
            default: return .json(Samples.page([Samples.job(1)]))
            }
        }
        let result = try await ClientProcess.run([
            "add", "--wait", "http://h/a.jpg", "--socket", daemon.socketPath,
        ])
        #expect(result.status == 0)
        #expect(result.lines.count == story.count)
        #expect(Set(result.lines).count == story.count)
        #expect(
            daemon.requests.filter { $0.path == "/v1/events" }.map { $0.headers["last-event-id"] } == [
                "0", "2",
            ]
        )
    }

    @Test("A batch that has ended with nothing heard is noticed")
    func unheard() async throws {
        let daemon = try ScriptedDaemon { request in
            switch (request.method, request.path) {
            case ("POST", _): .json(Samples.batch([1]), status: 201)
            case (_, "/v1/events"): .events([": nothing is kept\n\n"], then: .staysOpen)
            case (_, "/v1/jobs"): .json(Samples.page([Samples.job(1)]))
            default: .json(Samples.batch([1], states: ["done": 1]))
            }
        }
        let result = try await ClientProcess.run([
            "add", "--wait", "--json", "http://h/a.jpg", "--socket", daemon.socketPath,
        ])
        #expect(result.status == 0)
        #expect(result.lines.count == 1)
    }

    @Test("A batch that has been forgotten meanwhile is no longer waited for, and ends it with 1")
    func forgotten() async throws {
        let daemon = try ScriptedDaemon { request in
            switch (request.method, request.path) {
            case ("POST", _): .json(Samples.batch([1, 2]), status: 201)
            case (_, "/v1/events"): .events([": nothing is kept\n\n"], then: .staysOpen)
            case (_, "/v1/jobs"): .json(Samples.page([]))
            default: .problem(404, "no_such_batch", "there is no batch b1")
            }
        }
        let result = try await ClientProcess.run([
            "add", "--wait", "http://h/a.jpg", "http://h/b.jpg", "--socket", daemon.socketPath,
        ])
        #expect(result.status == 1)
        #expect(result.errors.contains("2 jobs of batch b1 are no longer known"), "\(result.errors)")
    }

    @Test("Ctrl-C leaves the daemon at work, says so, and ends by the signal")
    func interrupted() async throws {
        let daemon = try daemon([Samples.job(1)], events: Samples.story().prefix(2).map(Samples.piece))
        let client = try ClientProcess(["add", "--wait", "http://h/a.jpg", "--socket", daemon.socketPath])
        #expect(await client.output.contains("10% done"))
        kill(client.pid, SIGINT)
        let result = await client.result()
        #expect(result.wasKilled)
        #expect(result.status == SIGINT)
        #expect(result.errors.contains("No longer waiting; the daemon goes on with batch b1."))
    }

    @Test("On a terminal it shows a live line for each active file and ends with the faces of each")
    func terminal() async throws {
        let story = Samples.story()
        let progress = ProgressJSON(job: 1, batch: 1, bytes: 37, totalBytes: 100, bytesPerSecond: 10)
        let isGone = Counter()
        let daemon = try ScriptedDaemon { request in
            switch (request.method, request.path) {
            case ("POST", _): return .json(Samples.batch([1]), status: 201)
            case (_, "/v1/events"):
                switch isGone.next() {
                case 1:
                    return .events(
                        story.prefix(2).map(Samples.piece) + [Samples.piece(progress)],
                        then: .staysOpen
                    )
                case 2: return .events(story.prefix(4).map(Samples.piece), then: .staysOpen)
                default: return .events(story.map(Samples.piece), then: .staysOpen)
                }
            default: return .json(Samples.page([Samples.job(1)]))
            }
        }
        let window = try PseudoTerminal(columns: 60, rows: 10)
        let client = try ClientProcess(
            ["add", "--wait", "http://h/a.jpg", "--socket", daemon.socketPath],
            environment: ["TERM": "xterm"],
            terminal: window
        )
        #expect(await client.output.contains("Downloading \"a.jpg\", 37% of 100 B, 10 B/s, 6.3 s left…"))
        try daemon.restart()
        #expect(await client.output.contains("Detecting faces in \"a.jpg\"…"))
        try daemon.restart()
        let result = await client.result()
        #expect(result.status == 0)
        let screen = Screen(columns: 60, rows: 10).showing(result.output)
        #expect(
            screen == [
                "FILE     SIZE     TOOK  SINCE ADDED  FACES", "a.jpg  1.2 MB  0.999 s      0.999 s      7",
            ]
        )
    }

    @Test("In a narrow window lines are cut to its width, and again when it is resized")
    func narrow() async throws {
        let daemon = try daemon([Samples.job(1)], events: Samples.story().prefix(2).map(Samples.piece))
        let window = try PseudoTerminal(columns: 24, rows: 4)
        let client = try ClientProcess(
            ["add", "--wait", "http://h/a.jpg", "--socket", daemon.socketPath],
            environment: ["TERM": "xterm"],
            terminal: window
        )
        #expect(await client.output.contains("Downloading"))
        let shown = Screen(columns: 24, rows: 4).showing(client.output.text)
        #expect(shown.allSatisfy { $0.count < 24 })
        #expect(shown.first?.hasSuffix("…") == true)
        window.resize(columns: 70, rows: 4)
        #expect(await client.output.contains("Downloading \"a.jpg\", 10% done…"))
        let modes = window.modes
        window.type("\u{3}")
        let result = await client.result()
        #expect(result.wasKilled && result.status == SIGINT)
        #expect(window.modes == modes)
        #expect(Screen(columns: 70, rows: 4).showing(result.output).allSatisfy { $0 == "^C" })
    }

    @Test("A terminal that can't move its cursor gets plain lines")
    func dumb() async throws {
        let daemon = try daemon([Samples.job(1)], events: Samples.story().map(Samples.piece))
        let window = try PseudoTerminal()
        let client = try ClientProcess(
            ["add", "--wait", "http://h/a.jpg", "--socket", daemon.socketPath],
            environment: ["TERM": "dumb"],
            terminal: window
        )
        let result = await client.result()
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("0.000 started download of"))
        #expect(!result.output.contains("\u{1b}"))
    }
}
