import ControlAPI
import Foundation
import Testing

@Suite("The exit status, and the sentence that goes with it")
struct ExitStatusTests {
    @Test("Help is printed to standard output with 0")
    func help() async throws {
        for arguments in [["--help"], ["add", "--help"], ["help", "log"], ["detection", "hold", "--help"]] {
            let result = try await ClientProcess.run(arguments)
            #expect(result.status == 0)
            #expect(result.output.contains("USAGE: facefetch"))
            #expect(result.errors.isEmpty)
        }
    }

    @Test("The version is printed with 0")
    func version() async throws {
        let result = try await ClientProcess.run(["--version"])
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("facefetch "))
    }

    @Test(
        "Bad usage ends with 2 and one sentence that names the help or the nearest word",
        arguments: [
            (["lst"], "There is no command \"lst\". Did you mean \"facefetch list\"?"),
            (["xyzzy"], "There is no command \"xyzzy\". \"facefetch --help\" lists all commands."),
            (["list", "--jsno"], "Did you mean '--json'? See \"facefetch list --help\"."),
            (["add"], "There is nothing to add: give URLs, or a list of them with --from."),
            (["detection", "hol"], "Did you mean \"facefetch detection hold\"?"),
            (["--sokcet", "x", "status"], "Did you mean '--socket'?"),
            (["show", "zz"], "The value 'zz' is invalid for '<job>': jobs are named as j3 or 3."),
            (["list", "--batch", "j1"], "batches are named as b1 or 1."),
            (["log", "--since", "yesterday"], "written like 90s, 5 min, 1h30m or 90d, or a time such as"),
            (["list", "--match", ""], "--match needs a text to look for."),
            (["pause"], "Name jobs, as in j3 j4, or give --all, or say which with --batch, --state"),
            (["pause", "j1", "--all"], "Give either jobs, or --all, or --batch, --state and the like."),
            (
                ["add", "http://h/a", "--priority", "101"],
                "The priority is 101; it must be from -100 to 100."
            ),
            (["add", "http://h/a", "http://h/b", "--name", "x"], "--name and --sha256 are for one file"),
            (["add", "--from", "/nowhere/list.txt"], "The list /nowhere/list.txt can't be opened"),
            (["list", "--state", "lost"], "one of the following: queued, downloading, stored,"),
        ]
    )
    func usage(arguments: [String], words: String) async throws {
        let result = try await ClientProcess.run(arguments)
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("facefetch: "))
        #expect(result.errors.contains(words))
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(result.output.isEmpty)
    }

    @Test("A daemon that isn't there ends with 3 and how to start it")
    func notRunning() async throws {
        let result = try await ClientProcess.run(["--socket", "/nowhere/control.sock", "status"])
        #expect(result.status == 3)
        #expect(
            result.errors == """
                facefetch: The daemon is not running: there is no socket at /nowhere/control.sock. Start it \
                with "systemctl start facefetchd" or run "facefetchd", or name another socket with --socket.

                """
        )
    }

    @Test("How to start a person's own daemon is another thing")
    func ownNotRunning() async throws {
        let result = try await ClientProcess.run(["--socket", "/nowhere/facefetch/control.sock", "status"])
        #expect(result.errors.contains("Start it with \"systemctl --user start facefetchd\" or run"))
    }

    @Test("Without a session, as in a job of cron, it is said what to set", arguments: ["status", "doctor"])
    func withoutSession(command: String) async throws {
        let words =
            "XDG_RUNTIME_DIR is not set, as in a job of cron: for a daemon of your own, set it to /run/user/"
        let cron = try await ClientProcess.run([command], environment: ["HOME": "/nowhere"])
        #expect(cron.status == 3)
        #expect(cron.errors.contains(words + "\(getuid()), or FACEFETCH_SOCKET to the path of its socket."))
        for (name, value) in [("XDG_RUNTIME_DIR", "/nowhere"), ("FACEFETCH_SOCKET", "/nowhere/control.sock")]
        {
            let other = try await ClientProcess.run([command], environment: [name: value])
            #expect(other.status == 3 && !other.errors.contains("XDG_RUNTIME_DIR"), "\(other.errors)")
        }
    }

    @Test("A socket whose file somebody has removed ends with 3 and how to have it again")
    func removed() async throws {
        let daemon = try ScriptedDaemon { _ in .hangUp }
        #expect(unlink(daemon.socketPath) == 0)
        let result = try await ClientProcess.run(["doctor", "--socket", daemon.socketPath])
        #expect(result.status == 3)
        #expect(
            result.errors.contains("somebody has removed its socket \(daemon.socketPath), on which it still")
        )
        #expect(result.errors.contains("\"systemctl restart facefetchd.socket\" makes it again"))
        #expect(result.errors.contains("at a reload (SIGHUP)"))
    }

    @Test("A socket that nobody answers at ends with 3")
    func abandoned() async throws {
        let daemon = try ScriptedDaemon { _ in .hangUp }
        // A file of that name that is no listening socket.
        daemon.pause()
        try Data().write(to: URL(fileURLWithPath: daemon.socketPath))
        defer { unlink(daemon.socketPath) }
        let result = try await ClientProcess.run(["status", "--socket", daemon.socketPath])
        #expect(result.status == 3)
        #expect(result.errors.contains("nothing answers at"))
    }

    // Root is let through everywhere, so that the refusal can't be seen as root.
    @Test("A socket that may not be used ends with 3 and how to get leave", .enabled(if: getuid() != 0))
    func forbidden() async throws {
        let daemon = try ScriptedDaemon { _ in .hangUp }
        chmod(daemon.socketPath, 0)
        let result = try await ClientProcess.run(["status", "--socket", daemon.socketPath])
        #expect(result.status == 3)
        #expect(result.errors.contains("You may not use the socket"))
    }

    @Test("A socket path that is too long ends with 2 and says so")
    func longPath() async throws {
        let path = "/" + String(repeating: "x", count: 120)
        let result = try await ClientProcess.run(["status", "--socket", path])
        #expect(result.status == 2)
        #expect(result.errors.contains("121 bytes long, and at most 107"))
    }

    @Test(
        "The daemon's problem documents become sentences with a status",
        arguments: [
            (404, "no_such_job", Int32(1)), (409, "not_possible", 1), (403, "forbidden", 1),
            (422, "bad_parameter", 2), (413, "too_large", 2), (503, "stopping", 3), (507, "out_of_space", 1),
        ]
    )
    func problems(status: Int, code: String, exit: Int32) async throws {
        let daemon = try ScriptedDaemon { _ in .problem(status, code, "It is \(code)") }
        let result = try await ClientProcess.run(["show", "j9", "--socket", daemon.socketPath])
        #expect(result.status == exit)
        #expect(result.errors.hasPrefix("facefetch: It is \(code)."))
    }

    @Test("An answer without an explanation, and one that is no JSON, are said to be so")
    func strangeAnswers() async throws {
        let bare = try ScriptedDaemon { _ in .whole(status: 500, type: "text/plain", body: Data("oops".utf8))
        }
        let result = try await ClientProcess.run(["status", "--socket", bare.socketPath])
        #expect(result.status == 1)
        #expect(result.errors.contains("answered with status 500 and no explanation"))
        let odd = try ScriptedDaemon { _ in .whole(status: 200, type: "text/plain", body: Data("hi".utf8)) }
        let second = try await ClientProcess.run(["status", "--socket", odd.socketPath])
        #expect(second.status == 1)
        #expect(second.errors.contains("makes no sense"))
    }

    @Test("A server that isn't HTTP, and one that hangs up, are unreachable")
    func hangUp() async throws {
        let daemon = try ScriptedDaemon { _ in .hangUp }
        let result = try await ClientProcess.run(["status", "--socket", daemon.socketPath])
        #expect(result.status == 3)
        #expect(result.errors.contains("went away in the middle of its answer"))
    }

    @Test("FACEFETCH_SOCKET names the socket, and a proxy in the environment is not asked")
    func environment() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.status) }
        let result = try await ClientProcess.run(
            ["status"],
            environment: [
                "FACEFETCH_SOCKET": daemon.socketPath, "http_proxy": "http://127.0.0.1:1",
                "ALL_PROXY": "http://127.0.0.1:1",
            ]
        )
        #expect(result.status == 0)
        #expect(daemon.requests.map(\.path) == ["/v1/status"])
        #expect(daemon.requests.first?.headers["host"] == "localhost")
        #expect(daemon.requests.first?.headers["origin"] == nil)
    }
}
