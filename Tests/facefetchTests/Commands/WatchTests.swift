import ControlAPI
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("facefetch watch")
struct WatchTests {
    /// A daemon at work on a file, with one result.
    private func daemon() throws -> ScriptedDaemon {
        let progress = ProgressJSON(job: 3, batch: 1, bytes: 370, totalBytes: 1000, bytesPerSecond: 100)
        let finished = Samples.event(
            9,
            "detection_finished",
            "",
            job: 2,
            elapsed: 1.5
        ) { ($0.name, $0.faceCount) = ("done.jpg", 7) }
        var sample = Samples.job(3, state: "downloading", name: "active.jpg")
        (sample.bytes, sample.totalBytes, sample.percent, sample.bytesPerSecond) = (370, 1000, 37, 100)
        let active = sample
        return try ScriptedDaemon { request in
            switch request.path {
            case "/v1/events":
                return .events([Samples.piece(finished), Samples.piece(progress)], then: .staysOpen)
            case "/v1/status": return .json(Samples.status)
            case "/v1/jobs":
                return .json(Samples.page(request.query["state"] == "downloading" ? [active] : []))
            default: return .json(active)
            }
        }
    }

    private func watch(_ daemon: ScriptedDaemon, in window: PseudoTerminal) throws -> ClientProcess {
        try ClientProcess(
            ["watch", "--socket", daemon.socketPath],
            environment: ["TERM": "xterm", "NO_COLOR": "1"],
            terminal: window
        )
    }

    @Test(
        "Shows the active file, the daemon's state and the last result, and ends by q with the terminal restored"
    )
    func shows() async throws {
        let daemon = try daemon()
        let window = try PseudoTerminal(columns: 80, rows: 20)
        let modes = window.modes
        let client = try watch(daemon, in: window)
        #expect(await client.output.contains("active.jpg"))
        #expect(await client.output.contains(" 37% "))
        #expect(await client.output.contains("7 faces     done.jpg  1.500 s"))
        #expect(await client.output.contains("Jobs        5 queued, 2 downloading, 1,234 done"))
        #expect(window.modes != modes)
        // Nothing is cut off of a line that fills the window: its time left is.
        #expect(await client.output.contains("6.3 s"))
        window.type("q")
        let result = await client.result()
        #expect(result.status == 0)
        let entered = result.output.range(of: "\u{1b}[?7l")?.upperBound ?? result.output.startIndex
        let left = result.output.range(of: "\u{1b}[?7h")?.lowerBound ?? result.output.endIndex
        let shown = Screen(columns: 80, rows: 20).showing(String(result.output[entered..<left]))
        #expect(shown.contains { $0.hasPrefix("active.jpg") && $0.hasSuffix(" 6.3 s") })
        #expect(window.modes == modes)
        #expect(result.output.contains("\u{1b}[?1049h"))
        #expect(result.output.hasSuffix("\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"))
        #expect(!result.output.contains("\u{1b}[1m"))
    }

    @Test("In a wide window bars stay beside their names, and the last results are there from the start")
    func wide() async throws {
        var sample = Samples.job(3, state: "downloading", name: "active.jpg")
        (sample.bytes, sample.totalBytes, sample.percent, sample.bytesPerSecond) = (370, 1000, 37, 100)
        let (active, ended) = (sample, [Samples.job(2), Samples.failedJob(1)])
        let daemon = try ScriptedDaemon { request in
            switch request.path {
            case "/v1/events": return .events([": hello\n\n"], then: .staysOpen)
            case "/v1/status": return .json(Samples.status)
            default:
                if request.query["ended_after"] != nil { return .json(Samples.page(ended)) }
                return .json(Samples.page(request.query["state"] == "downloading" ? [active] : []))
            }
        }
        let window = try PseudoTerminal(columns: 200, rows: 30)
        let client = try watch(daemon, in: window)
        #expect(await client.output.contains("LAST RESULTS"))
        #expect(await client.output.contains(" 37% "))
        window.type("q")
        let result = await client.result()
        #expect(result.status == 0)
        let entered = result.output.range(of: "\u{1b}[?7l")?.upperBound ?? result.output.startIndex
        let left = result.output.range(of: "\u{1b}[?7h")?.lowerBound ?? result.output.endIndex
        let shown = Screen(columns: 200, rows: 30).showing(String(result.output[entered..<left]))
        let bar = try #require(shown.first { $0.hasPrefix("active.jpg") })
        #expect(bar.prefix { $0 != "█" }.count <= 20, "\(bar)")
        #expect(shown.contains { $0.hasPrefix("7 faces") } && shown.contains { $0.hasPrefix("failed") })
    }

    @Test("Restores the terminal when a signal ends it", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(number: Int32) async throws {
        let daemon = try daemon()
        let window = try PseudoTerminal()
        let modes = window.modes
        let client = try watch(daemon, in: window)
        #expect(await client.output.contains("active.jpg"))
        if number == SIGINT { window.type("\u{3}") } else { kill(client.pid, number) }
        let result = await client.result()
        #expect(number == SIGINT ? result.status == 0 : result.wasKilled && result.status == number)
        #expect(window.modes == modes)
        #expect(result.output.contains("\u{1b}[?25h\u{1b}[?1049l"))
    }

    @Test("Says that the daemon is gone, and goes on when it is back", .timeLimit(.minutes(1)))
    func restart() async throws {
        let daemon = try daemon()
        let window = try PseudoTerminal(columns: 80, rows: 20)
        let client = try watch(daemon, in: window)
        #expect(await client.output.contains("active.jpg"))
        daemon.pause()
        #expect(await client.output.contains("The daemon is gone"))
        let before = daemon.requests.filter { $0.path == "/v1/events" }.count
        try daemon.start()
        window.resize(columns: 30, rows: 6)
        while !Task.isCancelled, daemon.requests.filter({ $0.path == "/v1/events" }).count == before {
            await Task.yield()
        }
        window.type("q")
        #expect(await client.result().status == 0)
    }

    @Test("Is for a terminal only")
    func pipe() async throws {
        let result = try await ClientProcess.run(["watch"])
        #expect(result.status == 2)
        #expect(result.errors.contains("use \"facefetch log -f\" here."))
    }
}

extension WatchTests {
    @Test("Ctrl-Z gives the terminal back, and the view is there again afterwards", .timeLimit(.minutes(1)))
    func stops() async throws {
        let daemon = try ScriptedDaemon { request in
            request.path == "/v1/events"
                ? .events([": hello\n\n"], then: .staysOpen)
                : request.path == "/v1/status" ? .json(Samples.status) : .json(Samples.page([]))
        }
        let window = try PseudoTerminal()
        let modes = window.modes
        let client = try ClientProcess(
            ["watch", "--socket", daemon.socketPath],
            environment: ["TERM": "xterm"],
            terminal: window
        )
        #expect(await client.output.contains("Nothing is active."))
        kill(client.pid, SIGTSTP)
        #expect(await client.output.contains("\u{1b}[?25h\u{1b}[?1049l"))
        // The system alone knows when it has stopped; it says so in proc(5)'s third field.
        while !Task.isCancelled,
            try !String(contentsOfFile: "/proc/\(client.pid)/stat", encoding: .utf8).contains(") T ")
        {
            await Task.yield()
        }
        kill(client.pid, SIGCONT)
        #expect(await client.output.contains("\u{1b}[?1049l\u{1b}[?1049h\u{1b}[?25l"))
        window.type("q")
        #expect(await client.result().status == 0)
        #expect(window.modes == modes)
    }
}
