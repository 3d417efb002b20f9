import Foundation
import Glibc
import TestSupport
import Testing

@Suite("facefetch on")
struct OnTests {
    /// A follower's home, and a program that writes down how it was called.
    private struct Home {
        let directory: TemporaryDirectory
        let daemon: ScriptedDaemon

        init(_ list: EndedList, script: String) throws {
            directory = try TemporaryDirectory()
            daemon = try list.daemon()
            try Executable.write("#!/bin/sh\n\(script)\n", to: directory.path("run"))
        }

        var environment: [String: String] {
            // Nothing is written where other programs keep temporary files.
            ["XDG_STATE_HOME": directory.path("state"), "HERE": directory.path, "TMPDIR": "/nonexistent"]
        }

        func start(_ arguments: [String], _ places: [String] = ["{job}"]) throws -> ClientProcess {
            try ClientProcess(
                ["on", "--socket", daemon.socketPath] + arguments + ["--", directory.path("run")] + places,
                environment: environment
            )
        }

        var cursor: String {
            (try? String(contentsOfFile: directory.path("state/facefetch/on/run"), encoding: .utf8)) ?? ""
        }

        /// Has the daemon go away and come back, under a follower that hears of it.
        func restart(_ change: () -> Void = {}) async throws {
            let events = { daemon.requests.count { $0.path == "/v1/events" } }
            // Before it follows the events it would only hear of a connection that isn't answered.
            try await waitWhile { events() < 1 }
            change()
            let before = events()
            try daemon.restart()
            try await waitWhile { events() <= before }
        }

        /// Waits until the cursor is so.
        func reaches(_ words: String) async -> Bool {
            await FolderWatch.until(in: directory.path("state/facefetch/on")) {
                cursor == "facefetch-on 1\n" + words
            }
        }

        /// Waits until a file has so many lines.
        func lines(_ count: Int, of name: String = "log") async -> [String] {
            @Sendable func read() -> [String] {
                ((try? String(contentsOfFile: directory.path(name), encoding: .utf8)) ?? "").split(
                    separator: "\n"
                ).map(String.init)
            }
            _ = await FolderWatch.until(in: directory.path) { read().count >= count }
            return read()
        }
    }

    private static func stop(_ process: ClientProcess) async -> ClientProcess.Result {
        kill(process.pid, SIGTERM)
        return await process.result()
    }

    @Test(
        "Each ending is handed to the program: arguments, environment and JSON; and a name is never a command"
    )
    func hands() async throws {
        let name = "$(touch owned); `touch owned` | {path} 'x'.jpg"
        let list = EndedList([
            EndedList.picture(4, name: name, meta: #"{"album":"{url}"}"#), EndedList.failed(5),
        ])
        let script = """
            cat > "$HERE/$FACEFETCH_JOB.json"
            printf '%s\\n' "$FACEFETCH_ENDING|$FACEFETCH_FACES|$FACEFETCH_ERROR|$2|$3" >> "$HERE/log"
            """
        let home = try Home(list, script: script)
        let process = try home.start(["done,failed", "--from", "0"], ["{job}", "{name}", "{meta.album}"])
        #expect(await home.lines(2) == ["done|1||\(name)|{url}", "failed||http_404|b.jpg|"])
        // Until it hears that a program has ended, that program is under way, whatever it has written.
        #expect(await home.reaches("through 5\n"))
        let json =
            try JSONSerialization.jsonObject(with: Data(try home.directory.read("4.json"))) as? [String: Any]
        #expect(json?["name"] as? String == name)
        let result = await Self.stop(process)
        #expect(result.wasKilled && result.status == SIGTERM)
        #expect(
            !FileManager.default.fileExists(atPath: "owned")
                && !FileManager.default.fileExists(atPath: home.directory.path("owned"))
        )
        #expect(home.cursor == "facefetch-on 1\nthrough 5\n")
    }

    @Test("It begins at now, and goes on where it was; what another daemon's restart brings isn't missed")
    func goesOn() async throws {
        let list = EndedList([EndedList.picture(1), EndedList.picture(2)])
        let home = try Home(list, script: "echo $1 >> \"$HERE/log\"")
        let first = try home.start(["done"])
        #expect(await first.errors.contains("Following done from number 2 on."))
        #expect(home.cursor == "facefetch-on 1\nthrough 2\n")
        list.add(EndedList.picture(3))
        try await home.restart()
        #expect(await home.lines(1) == ["3"])
        #expect(await home.reaches("through 3\n"))
        _ = await Self.stop(first)
        list.add(EndedList.picture(4))
        let second = try home.start(["done", "--from", "0"])
        #expect(await home.lines(2) == ["3", "4"])
        _ = await Self.stop(second)
    }

    @Test("Status 75 is tried again while others go on; any other is told and that is that")
    func again() async throws {
        let list = EndedList((1...4).map { EndedList.picture($0) })
        let script = """
            echo $1 >> "$HERE/log"
            [ $1 = 1 ] && [ $(grep -c '^1$' "$HERE/log") -lt 2 ] && exit 75
            [ $1 = 2 ] && exit 3
            exit 0
            """
        let home = try Home(list, script: script)
        let process = try home.start(["done", "--from", "0"])
        // It comes again a second later, which may be before the others have had their turn.
        let lines = await home.lines(5)
        #expect(lines.first == "1" && lines.filter { $0 != "1" } == ["2", "3", "4"])
        let again = try #require(lines.lastIndex(of: "1"))
        #expect(again > 1)
        #expect(
            await process.errors.contains(
                "j2, done: \(home.directory.path("run")) ended with status 3; it is not run again"
            )
        )
        #expect(await home.reaches("through 4\n"))
        _ = await Self.stop(process)
    }

    @Test("A thousand endings that are put off hold nobody up; where no more can be kept, that is said")
    func muchPutOff() async throws {
        let list = EndedList((1...1201).map { EndedList.picture($0) })
        let home = try Home(list, script: "echo $1 >> \"$HERE/log\"; [ $1 = 1201 ] || exit 75")
        let folder = try home.directory.directory("state") + "/facefetch/on"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        func follows(_ open: ClosedRange<Int64>) throws -> ClientProcess {
            let lines = open.map { "open \($0)\n" }.joined()
            let cursor = "facefetch-on 1\nthrough \(open.upperBound)\n" + lines
            try Data(cursor.utf8).write(to: URL(fileURLWithPath: folder + "/run"))
            return try home.start(["done"])
        }
        let first = try follows(1...1200)
        #expect(await FolderWatch.until(in: folder) { home.cursor.contains("through 1201\n") })
        _ = await Self.stop(first)
        for number in 1202...10_001 as ClosedRange<Int64> { list.add(EndedList.picture(number)) }
        let second = try follows(1...10_000)
        #expect(await second.errors.contains("10000 endings wait to be handled, as many as are kept here"))
        _ = await Self.stop(second)
    }

    @Test("A program that takes too long is ended with all of its group, and others go on")
    func timeout() async throws {
        let list = EndedList((1...2).map { EndedList.picture($0) })
        let script = """
            [ $1 = 1 ] && { (sleep 1000; echo late >> "$HERE/log") & echo $! > "$HERE/child"; wait; }
            echo $1 >> "$HERE/log"
            """
        let home = try Home(list, script: script)
        let process = try home.start(["done", "--from", "0", "--timeout", "5"])
        #expect(await home.lines(1) == ["2"])
        #expect(await process.errors.contains("took longer than 5.0 s"))
        #expect(process.errors.text.contains("j1, done"))
        let child = try #require(
            pid_t(
                String(decoding: home.directory.read("child"), as: UTF8.self).trimmingCharacters(
                    in: .whitespacesAndNewlines
                )
            )
        )
        // A killed process ends when it next runs, and whoever has to bury it may not have done so yet.
        let deadline = ContinuousClock.now + .seconds(30)
        func state() -> String {
            (try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)) ?? ") Z"
        }
        while !state().contains(") Z"), .now < deadline { await Task.yield() }
        #expect(state().contains(") Z"))
        _ = await Self.stop(process)
    }

    @Test("What a program leaves running when it ends is left alone, and isn't waited for")
    func background() async throws {
        let list = EndedList((1...2).map { EndedList.picture($0) })
        let script = """
            (read go < "$HERE/go"; echo late $1 >> "$HERE/log") > /dev/null 2>&1 &
            echo $1 >> "$HERE/log"
            """
        let home = try Home(list, script: script)
        #expect(mkfifo(home.directory.path("go"), 0o600) == 0)
        let process = try home.start(["done", "--from", "0"])
        #expect(await home.lines(2) == ["1", "2"])
        #expect(await home.reaches("through 2\n"))
        _ = await Self.stop(process)
        // A line for each, whichever reads it.
        let go = open(home.directory.path("go"), O_RDWR | O_CLOEXEC)
        defer { close(go) }
        #expect(write(go, "go\ngo\n", 6) == 6)
        #expect(await home.lines(4).suffix(2).sorted() == ["late 1", "late 2"])
    }

    @Test("A program's time is up while the daemon is away, too")
    func timeoutWithoutDaemon() async throws {
        let list = EndedList([EndedList.picture(1)])
        let home = try Home(list, script: "echo $1 >> \"$HERE/log\"; exec sleep 1000 > /dev/null 2>&1")
        let process = try home.start(["done", "--from", "0", "--timeout", "5"])
        #expect(await home.lines(1) == ["1"])
        home.daemon.pause()
        #expect(await process.errors.contains("took longer than 5.0 s"))
        _ = await Self.stop(process)
    }

    @Test("What was under way is run again after a stop, and after a kill")
    func underWay() async throws {
        let list = EndedList((1...3).map { EndedList.picture($0) })
        let script =
            "echo $1 >> \"$HERE/log\"; [ -e \"$HERE/go\" ] || [ $1 != 2 ] || exec sleep 1000 > /dev/null 2>&1"
        let home = try Home(list, script: script)
        for signal in [SIGTERM, SIGKILL] {
            let process = try home.start(["done", "--from", "0", "--jobs", "3"])
            let round = signal == SIGTERM ? 3 : 4
            #expect(await home.lines(round).sorted().last != nil)
            #expect(await home.reaches("through 3\nopen 2\n"))
            kill(process.pid, signal)
            _ = await process.result()
        }
        try home.directory.write([], to: "go")
        let last = try home.start(["done"])
        #expect(await home.lines(5).filter { $0 == "2" }.count == 3)
        #expect(await home.reaches("through 3\n"))
        _ = await Self.stop(last)
        #expect(await home.lines(5).filter { $0 != "2" }.count == 2)
    }

    @Test("Every ending is handled at least once, however often either side is killed")
    func torture() async throws {
        let environment = ProcessInfo.processInfo.environment
        let endings = Int64(environment["FACEFETCH_ENDINGS"] ?? "") ?? 400
        let kills = Int(environment["FACEFETCH_KILLS"] ?? "") ?? 6
        let list = EndedList([])
        let home = try Home(list, script: "echo $1 >> \"$HERE/log\"")
        for number in 1...endings { list.add(EndedList.picture(number)) }
        var generator = SeededGenerator(seed: 17)
        for round in 1...kills {
            let process = try home.start(["done", "--from", "0", "--jobs", "4"])
            let goal = Int(endings) * round / (kills + 1) + Int.random(in: 0...10, using: &generator)
            _ = await home.lines(goal)
            if Bool.random(using: &generator) { try home.daemon.restart() }
            kill(process.pid, SIGKILL)
            _ = await process.result()
        }
        let last = try home.start(["done", "--jobs", "4"])
        #expect(await home.reaches("through \(endings)\n"))
        _ = await Self.stop(last)
        let handled = await home.lines(0).compactMap { Int64($0) }
        #expect(Set(handled) == Set(1...endings))
        // What was under way or not yet written down is handled again, and nothing else.
        #expect(handled.count - Int(endings) <= kills * 200)
    }

    @Test("A second one of a name ends with 75; jobs that were forgotten are told")
    func twice() async throws {
        let list = EndedList([EndedList.picture(9)], oldest: 8)
        let home = try Home(list, script: "echo $1 >> \"$HERE/log\"")
        let folder = try home.directory.directory("state") + "/facefetch/on"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("facefetch-on 1\nthrough 5\n".utf8).write(to: URL(fileURLWithPath: folder + "/run"))
        let first = try home.start(["done"])
        #expect(await home.lines(1) == ["9"])
        let second = await (try home.start(["done"])).result()
        #expect(second.status == 75 && second.errors.contains("\"run\" is followed already"))
        // What it has said is all there once it has ended.
        _ = await Self.stop(first)
        #expect(first.errors.text.contains("Jobs that ended up to number 8 were forgotten"))
    }

    @Test("Forgetting what wasn't asked for is no gap")
    func noFalseGap() async throws {
        let list = EndedList([EndedList.failed(2), EndedList.picture(9)])
        let home = try Home(list, script: "echo $1 >> \"$HERE/log\"")
        let process = try home.start(["failed", "--from", "0"])
        #expect(await home.lines(1) == ["2"])
        #expect(await home.reaches("through 9\n"))
        list.forget(through: 9)
        list.add(EndedList.failed(10))
        try await home.restart()
        #expect(await home.lines(2) == ["2", "10"])
        _ = await Self.stop(process)
        #expect(!process.errors.text.contains("forgotten"), "\(process.errors.text)")
    }

    @Test(
        "A daemon that has answered and can't for a while, as on a full disk, is asked again",
        arguments: [
            (["/v1/jobs"], 507, "There is no room. Trying again"),
            (["/v1/jobs"], 500, "There is no room. Trying again"),
            (["/v1/jobs", "/v1/events"], 507, "Waiting for the daemon"),
        ]
    )
    func daemonInTrouble(paths: [String], status: Int, words: String) async throws {
        let list = EndedList([EndedList.picture(1)])
        let home = try Home(list, script: "echo $1 >> \"$HERE/log\"")
        let process = try home.start(["done", "--from", "0"])
        #expect(await home.lines(1) == ["1"])
        try await home.restart {
            list.fails(status, for: paths)
            list.add(EndedList.picture(2))
        }
        #expect(await process.errors.contains(words))
        list.fails(status)
        #expect(await home.lines(2) == ["1", "2"])
        _ = await Self.stop(process)
    }

    @Test("A daemon that can't answer at the very first ends it, with what that says")
    func refusedAtFirst() async throws {
        let list = EndedList([])
        list.fails(507, for: ["/v1/jobs"])
        let home = try Home(list, script: "true")
        let result = await (try home.start(["done"])).result()
        #expect(result.status == 1 && result.errors.contains("There is no room."))
    }

    @Test("Where the daemon has other jobs, it begins with the oldest of them at once")
    func otherStore() async throws {
        let list = EndedList([EndedList.picture(3)])
        let home = try Home(list, script: "echo $1 >> \"$HERE/log\"")
        let folder = try home.directory.directory("state") + "/facefetch/on"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("facefetch-on 1\nthrough 50\n".utf8).write(to: URL(fileURLWithPath: folder + "/run"))
        let process = try home.start(["done"])
        #expect(await home.lines(1) == ["3"])
        #expect(await process.errors.contains("it has other jobs now"))
        #expect(await home.reaches("through 3\n"))
        _ = await Self.stop(process)
    }

    @Test(
        "Bad usage ends with 2",
        arguments: [
            ["finished", "--", "true"], ["done", "--", "true", "{paths}"], ["done"],
            ["done", "--", "/no/such/program"],
            ["done", "--jobs", "0", "--", "true"], ["done", "--name", "a/b", "--", "true"],
            ["done", "--timeout", "soon", "--", "true"],
        ]
    )
    func usage(arguments: [String]) async throws {
        let directory = try TemporaryDirectory()
        let result = try await ClientProcess.run(
            ["on"] + arguments,
            environment: ["XDG_STATE_HOME": directory.path]
        )
        #expect(result.status == 2 && !result.errors.isEmpty, "\(result)")
    }

    @Test("Without a daemon it ends with 3 at the start")
    func unreachable() async throws {
        let directory = try TemporaryDirectory()
        let result = try await ClientProcess.run(
            ["on", "--socket", directory.path("none"), "done", "--", "true"],
            environment: ["XDG_STATE_HOME": directory.path]
        )
        #expect(result.status == 3)
    }
}
