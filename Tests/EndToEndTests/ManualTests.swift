import Foundation
import TestSupport
import TestTraits
import Testing

@Suite(
    "The manual and the completions, made from the programs",
    .enabled(if: Repository.python != nil, "needs python3"),
    MadeManual(),
    .ownThread
)
struct ManualTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try #require(MadeManual.directory) }

    private func text(_ name: String) throws -> String {
        String(decoding: try directory.read(name), as: UTF8.self)
    }

    /// A page without its escapes.
    private func page(_ name: String) throws -> String {
        try text(name).replacingOccurrences(of: "\\-", with: "-")
    }

    @Test("No row of a table in --help is wrapped at 80 columns")
    func tables() async throws {
        let programs = [
            "facefetch", "facefetchd", "facefetch-detector", "facefetch-lister", "facefetch-gallery",
        ]
        var left = (programs + ["facefetch-fleet"]).map { [$0] }
        var count = 0
        while let words = left.popLast() {
            let lines = try await Program.run(words[0], words.dropFirst() + ["--help"]).output
                .split(separator: "\n", omittingEmptySubsequences: false)
            count += 1
            for (row, next) in zip(lines, lines.dropFirst()) {
                let isRow = row.hasPrefix("  ") && !row.hasPrefix("   ") && row.dropFirst(2).contains("  ")
                #expect(!isRow || next.isEmpty || next.hasPrefix(" "), "\(words): \(row)")
            }
            let subcommands = lines.drop { !$0.hasSuffix("SUBCOMMANDS:") }
            for line in subcommands where line.hasPrefix("  ") && !line.hasPrefix("   ") {
                let name = line.dropFirst(2).prefix { $0.isLowercase || $0 == "-" }
                if line.dropFirst(2 + name.count).hasPrefix("  ") { left.append(words + [String(name)]) }
            }
        }
        #expect(count > 40)
    }

    @Test("There is a page for each program and for the settings, with all that --help and the table have")
    func complete() async throws {
        let client = try page("man1/facefetch.1")
        let help = try await Program.run("facefetch", ["--help"]).output
        let commands = help.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("  "), !line.hasPrefix("   "), !line.hasPrefix("  -") else { return nil }
            let word = line.dropFirst(2).prefix { $0.isLetter && $0.isLowercase }
            return line.dropFirst(2 + word.count).hasPrefix("  ") ? String(word) : nil
        }
        #expect(commands.contains("watch") && commands.contains("detect"))
        for command in commands { #expect(client.contains("facefetch \(command)\\fR"), "\(command)") }
        for word in ["--sha256", "--match", "FACEFETCH_SOCKET", "EXIT STATUS"] {
            #expect(client.contains(word))
        }
        let daemon = try page("man8/facefetchd.8")
        for word in ["--state-dir", "check-config", "SIGHUP", "/var/log/facefetch/events.log"] {
            #expect(daemon.contains(word))
        }
        let settings = try page("man5/facefetchd.yaml.5")
        let inForce = try await Program.run(
            "facefetchd",
            ["check-config"],
            environment: ["HOME": "/nonexistent"]
        )
        for line in inForce.lines {
            let key = line.prefix { $0 != ":" }
            #expect(settings.contains("\\fB\(key)\\fR"), "\(key)")
        }
        #expect(try page("man1/facefetch-detector.1").contains("--annotate"))
        #expect(try page("man1/facefetch-lister.1").contains("--slices"))
        let fleet = try page("man1/facefetch-fleet.1")
        for word in ["--config", "--ended-before", "EXIT STATUS"] { #expect(fleet.contains(word)) }
        #expect(!fleet.contains("settings-table"))
        for word in ["database-file", "metrics"] {
            #expect(try page("man5/fleet.yaml.5").contains("\\fB\(word)\\fR"))
        }
        let recipes = try page("man5/facefetch-source.5")
        let fields = try await Program.run("facefetch-lister", ["--fields"])
        let paths = try fields.lines.map { line in
            try JSONDecoder().decode([String: String?].self, from: Data(line.utf8))["path"] ?? nil
        }
        #expect(paths.contains("vars.NAME.range") && paths.contains("s3.credentials.profile"))
        for path in paths { #expect(recipes.contains("\\fB\(path ?? "")\\fR"), "\(path ?? "")") }
        #expect(recipes.contains("WHERE A WALK ENDS"))
    }

    @Test(
        "The pages are set without a warning",
        .enabled(if: Shell.find("man") != nil, "needs man-db"),
        arguments: [
            "man1/facefetch.1", "man1/facefetch-detector.1", "man1/facefetch-lister.1",
            "man5/facefetch-source.5", "man5/facefetchd.yaml.5", "man8/facefetchd.8",
            "man1/facefetch-fleet.1", "man5/fleet.yaml.5", "man7/facefetch-fleet.7", "man7/facefetch-api.7",
        ]
    )
    func warnings(name: String) throws {
        let script =
            "LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z \"$1\" >/dev/null"
        let set = try Shell.run(["/bin/sh", "-c", script, "sh", directory.path(name)])
        #expect(set.status == 0 && set.output.isEmpty, "\(set.output)")
    }

    @Test("The reference in docs is what the programs say of themselves")
    func reference() throws {
        let python = try #require(Repository.python)
        let made = directory.path("markdown")
        let run = try Shell.run([
            python, Repository.path("scripts/build-manual"), "--markdown", made, Program.directory,
        ])
        try #require(run.status == 0, "\(run.output)")
        let compared = try Shell.run([
            "/usr/bin/diff", "--recursive", "--unified=0", Repository.path("docs/reference"), made,
        ])
        #expect(compared.status == 0, "run \"make docs\", and commit what it writes: \(compared.output)")
    }

    @Test("The control socket's page has all of its routes and objects")
    func api() throws {
        let page = try page("man7/facefetch-api.7")
        for route in ["GET /v1/jobs", "POST /v1/batches/{id}/renew", "PUT /v1/attention/{name}"] {
            #expect(page.contains("\\fB\(route)\\fR"), "\(route)")
        }
        for word in ["Idempotency-Key", "\\fBJob\\fR", "name_taken"] {
            #expect(page.contains(word), "\(word)")
        }
    }

    @Test("The scripts are taken by their shells, where those are installed")
    func syntax() throws {
        for (shell, files) in [
            ("bash", ["bash/facefetch", "bash/facefetchd"]), ("zsh", ["zsh/_facefetch", "zsh/_facefetchd"]),
            ("fish", ["fish/facefetch.fish", "fish/facefetchd.fish"]),
        ] {
            guard let program = Shell.find(shell) else { continue }
            for file in files {
                let read = try Shell.run([program, "-n", directory.path("completions/" + file)])
                #expect(read.status == 0, "\(file): \(read.output)")
            }
        }
    }

    @Test(
        "bash completes commands, states, and the jobs that the daemon has",
        .enabled(if: Shell.find("bash") != nil)
    )
    func bash() async throws {
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        _ = try await installation.facefetch("add", "http://127.0.0.1:9/a.jpg", "http://127.0.0.1:9/b.jpg")
        _ = try await installation.facefetch("pause", "j2")
        for (words, expected) in [
            (["facefetch", "wat"], "watch"), (["facefetch", "list", "--state", "pau"], "paused"),
            (["facefetch", "resume", "j"], "j2"), (["facefetch", "show", ""], "j1"),
            (["facefetch", "log", "--batch", ""], "b1"),
        ] {
            #expect(try complete(words, socket: installation.socket).contains(expected), "\(words)")
        }
        #expect(await daemon.stop() == 0)
    }

    /// Returns bash's offers for the last of these words.
    private func complete(_ words: [String], socket: String) throws -> [String] {
        let script = """
            source "$1"; shift
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
            COMP_POINT=${#COMP_LINE}
            _facefetch facefetch "${@: -1}" "${@: -2:1}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let run = try Shell.run(
            ["/bin/bash", "-c", script, "bash", directory.path("completions/bash/facefetch")] + words,
            environment: ["FACEFETCH_SOCKET": socket, "PATH": Program.directory + ":/usr/bin:/bin"]
        )
        return run.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

/// Makes the manual once, for all tests of the suite.
private struct MadeManual: SuiteTrait, TestScoping {
    /// The folder of the test.
    @TaskLocal static var directory: TemporaryDirectory?

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let python = try #require(Repository.python)
        let made = try Shell.run([
            python, Repository.path("scripts/build-manual"), directory.path, Program.directory,
        ])
        try #require(made.status == 0, "\(made.output)")
        try await Self.$directory.withValue(directory) { try await function() }
    }
}
