import ControlAPI
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("facefetch log")
struct LogTests {
    @Test("Prints whole lines of what is kept, from the oldest on, and ends")
    func history() async throws {
        let daemon = try ScriptedDaemon { _ in .events(Samples.story().map(Samples.piece), then: .ends) }
        let result = try await ClientProcess.run(["log", "--socket", daemon.socketPath])
        #expect(result.status == 0)
        #expect(
            result.lines.first
                == "2026-11-21T06:45:03.702Z b1 j1 0.000 started download of https://example.org/a.jpg"
        )
        #expect(result.lines.count == 5)
        #expect(daemon.requests.first?.headers["last-event-id"] == "0")
        #expect(daemon.requests.first?.query["follow"] == "false")
    }

    @Test("An event of a kind that a newer daemon knows is printed as it says it, and is no download")
    func unknownKind() async throws {
        let newer = Samples.event(6, "verified", "verified \"a.jpg\"")
        let events = Samples.story() + [newer]
        let daemon = try ScriptedDaemon { _ in
            .events(events.map(Samples.piece) + ["event: weather\ndata: {}\n\n"], then: .ends)
        }
        let lines = try await ClientProcess.run(["log", "--socket", daemon.socketPath]).lines
        #expect(lines.count == 6 && lines.last?.hasSuffix(" verified \"a.jpg\"") == true)
        let json = try await ClientProcess.run(["log", "--json", "--socket", daemon.socketPath]).lines
        let last = try JSONDecoder().decode(EventJSON.self, from: Data((json.last ?? "").utf8))
        #expect(last == newer && last.kind == .unknown("verified"))
    }

    @Test("With a batch it asks for that alone and prints from the elapsed seconds on")
    func batch() async throws {
        let daemon = try ScriptedDaemon { request in
            request.path == "/v1/events"
                ? .events(Samples.story().map(Samples.piece), then: .ends) : .json(Samples.batch([1]))
        }
        let result = try await ClientProcess.run(["log", "--batch", "b1", "--socket", daemon.socketPath])
        #expect(result.lines.first == "0.000 started download of https://example.org/a.jpg")
        #expect(daemon.requests.last?.query["batch"] == "1")
    }

    @Test("A batch that there isn't ends it with 1")
    func noBatch() async throws {
        let daemon = try ScriptedDaemon { _ in .problem(404, "no_such_batch", "There is no batch b7") }
        let result = try await ClientProcess.run(["log", "--batch", "b7", "--socket", daemon.socketPath])
        #expect(result.status == 1)
        #expect(result.errors == "facefetch: There is no batch b7.\n")
    }

    @Test("With --since older events are left out")
    func since() async throws {
        let daemon = try ScriptedDaemon { _ in .events(Samples.story().map(Samples.piece), then: .ends) }
        let late = try await ClientProcess.run([
            "log", "--since", "2026-11-21T07:00:00Z", "--socket", daemon.socketPath,
        ])
        #expect(late.lines.isEmpty)
        let asked = try #require(daemon.requests.last?.query["since"])
        #expect(asked.hasPrefix("2026-11-21T07:00:00"), "nor need the daemon send them")
        _ = try await ClientProcess.run(["log", "--since", "999999d", "--socket", daemon.socketPath])
        let longAgo = try #require(daemon.requests.last?.query["since"])
        #expect(longAgo.hasPrefix("1970-01-01T00:00:00"), "a year that can be written")
        let early = try await ClientProcess.run([
            "log", "--since", "2026-11-21T06:00:00Z", "--json", "--socket", daemon.socketPath,
        ])
        let events = try early.lines.map { try JSONDecoder().decode(EventJSON.self, from: Data($0.utf8)) }
        #expect(events == Samples.story())
    }

    @Test("Where events are no longer kept it says so and goes on with what is")
    func gone() async throws {
        let story = Samples.story(from: 3)
        let notice = "event: gone\ndata: {\"after\":9,\"oldest\":3,\"detail\":\"gone\"}\n\n"
        let daemon = try ScriptedDaemon { request in
            request.headers["last-event-id"] == nil
                ? .events([Samples.piece(Samples.event(9, "paused", "paused \"a.jpg\""))], then: .breaks)
                : .events([notice] + story.map(Samples.piece), then: .staysOpen)
        }
        let client = try ClientProcess(["log", "-f", "--socket", daemon.socketPath])
        #expect(await client.output.contains("7 faces"))
        kill(client.pid, SIGTERM)
        let result = await client.result()
        #expect(result.lines.count == 6)
        #expect(result.errors.contains("Older events are no longer kept."))
    }

    @Test("The last lines are asked for: ten where a log is followed, or as many as are wanted")
    func newest() async throws {
        let daemon = try ScriptedDaemon { _ in .events(Samples.story().map(Samples.piece), then: .ends) }
        let few = try await ClientProcess.run(["log", "-n", "3", "--socket", daemon.socketPath])
        #expect(few.status == 0)
        let asked = try #require(daemon.requests.last)
        #expect(asked.query["newest"] == "3" && asked.query["follow"] == "false")
        #expect(asked.headers["last-event-id"] == nil)
        let client = try ClientProcess(["log", "-f", "--socket", daemon.socketPath])
        #expect(await client.output.contains("7 faces"))
        kill(client.pid, SIGTERM)
        _ = await client.result()
        #expect(daemon.requests.contains { $0.query["newest"] == "10" && $0.query["follow"] == nil })
        for wrong in ["-1", "x", "1000001"] {
            #expect(try await ClientProcess.run(["log", "-n", wrong]).status == 2)
        }
    }

    @Test("Follows across a restart of the daemon without a gap or a repeat")
    func follows() async throws {
        let story = Samples.story()
        let daemon = try ScriptedDaemon { request in
            let last = Int64(request.headers["last-event-id"] ?? "") ?? 0
            let until = last == 0 ? 2 : last + 2
            return .events(
                story.filter { $0.id > last && $0.id <= until }.map(Samples.piece),
                then: .staysOpen
            )
        }
        let client = try ClientProcess(["log", "-f", "--socket", daemon.socketPath])
        #expect(await client.output.contains("10% done"))
        try daemon.restart()
        #expect(await client.output.contains("started face detection"))
        try daemon.restart()
        #expect(await client.output.contains("7 faces"))
        kill(client.pid, SIGTERM)
        let result = await client.result()
        #expect(result.lines.count == 5)
        #expect(Set(result.lines).count == 5)
        #expect(result.errors.contains("Waiting for the daemon to come back"))
        #expect(!result.errors.contains("try again"), "\(result.errors)")
    }

    @Test("Follows without a gap where the daemon was away before anything had happened", arguments: [3, 0])
    func quiet(last: Int64) async throws {
        let story = Samples.story()
        let daemon = try ScriptedDaemon { request in
            guard let last = request.headers["last-event-id"].flatMap({ Int64($0) }) else {
                return .events([": following\nid: \(last)\n\n"], then: .breaks)
            }
            return .events(
                [": following\nid: \(last)\n\n"] + story.filter { $0.id > last }.map(Samples.piece),
                then: .staysOpen
            )
        }
        let client = try ClientProcess(["log", "-n", "0", "-f", "--socket", daemon.socketPath])
        #expect(await client.output.contains("7 faces"))
        kill(client.pid, SIGTERM)
        #expect(await client.result().lines.count == story.count - Int(last))
        #expect(daemon.requests.first?.query["newest"] == "0")
    }

    @Test("When told that it missed some it asks for them")
    func missed() async throws {
        let story = Samples.story()
        let daemon = try ScriptedDaemon { request in
            request.headers["last-event-id"] == nil
                ? .events(
                    [Samples.piece(story[0]), "event: missed\ndata: {}\n\n" + Samples.piece(story[4])],
                    then: .staysOpen
                )
                : .events(story.dropFirst().map(Samples.piece), then: .staysOpen)
        }
        let client = try ClientProcess(["log", "-f", "--socket", daemon.socketPath])
        #expect(await client.output.contains("7 faces"))
        kill(client.pid, SIGTERM)
        #expect(await client.result().lines.count == 5)
    }

    @Test("Without a daemon it ends with 3 at once")
    func unreachable() async throws {
        let result = try await ClientProcess.run(["log", "-f", "--socket", "/nowhere/control.sock"])
        #expect(result.status == 3)
    }
}
