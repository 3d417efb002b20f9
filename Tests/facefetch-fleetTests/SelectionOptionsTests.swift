import Testing

@testable import facefetch_fleet

@Suite("Which jobs a command of the fleet is about")
struct SelectionOptionsTests {
    private func selection(_ words: String) throws -> JobSelection? {
        try selection(words.split(separator: " ").map { String($0) })
    }

    private func selection(_ words: [String]) throws -> JobSelection? {
        let command = try FacefetchFleet.parseAsRoot(words)
        if let jobs = command as? Jobs { return try jobs.selection() }
        return try (command as? any SteeringCommand)?.selection()
    }

    @Test("All commands say it in the same words")
    func grammar() throws {
        let all = JobSelection()
        let words = "--batch 7 --host a.example,b.example --host c.example --node n --state failed 3 4"
        for command in ["retry", "jobs"] {
            #expect(
                try selection("\(command) \(words) --code http_503,timeout")
                    == .of(7, [.failed]).with {
                        $0.jobs = [3, 4]
                        $0.hosts = ["a.example", "b.example", "c.example"]
                        $0.nodes = ["n"]
                        $0.codes = ["http_503", "timeout"]
                    }
            )
        }
        #expect(try selection("pause --all") == all.among([.queued, .held]))
        #expect(try selection("pause --node n")?.meant == [.held])
        #expect(try selection("resume --host h")?.meant == [.paused])
        #expect(
            try selection("cancel 5 --state queued,paused")
                == all.among([.queued, .paused]).with { $0.jobs = [5] }
        )
        #expect(try selection("retry --batch 7") == .of(7, [.failed, .cancelled]))
        #expect(try selection("retry --batch 7 --failed") == .of(7, [.failed]))
        #expect(try selection("retry --code timeout")?.meant == [.failed])
        #expect(try selection("retry --node n --state done")?.meant == [.done])
        #expect(try selection("jobs --all") == all)
        let command = try FacefetchFleet.parseAsRoot(["prioritize", "--to", "-5", "--host", "h"])
        #expect((command as? Prioritize)?.action == .prioritize(-5))
    }

    @Test("Blanks beside commas are no part of a name, and an IPv6 address stands as in URLs")
    func blanks() throws {
        let selection = try selection([
            "retry", "--host", "a.example, [2001:db8::1] ,", "--node", " n , m", "--code", "x, y",
            "--state", "failed, cancelled",
        ])
        #expect(
            selection
                == JobSelection([.failed, .cancelled]).with {
                    $0.hosts = ["a.example", "[2001:db8::1]"]
                    $0.nodes = ["n", "m"]
                    $0.codes = ["x", "y"]
                }
        )
    }

    @Test(
        "What makes no sense is refused with what to do",
        arguments: [
            ("pause", "say which with --batch"), ("cancel --all --batch 1", "either --all"),
            ("cancel --code http_404", "use --code with retry or jobs"),
            ("pause --state done", "queued, held here"),
            ("retry --state held", "done, failed, cancelled here"), ("jobs --state bad", "one of queued"),
            ("retry --failed --state done", "either --failed or --state"),
            ("pause --host ,", "--host needs a value"),
            ("pause --host https://h.example:1", "no host: name it alone"),
            ("pause --host h.example:8443", "has a port: name the host alone, h.example,"),
            ("pause --host [::1]:80", "has a port: name the host alone, [::1],"),
            ("pause --host ::1", "in brackets, [::1]."), ("pause --host [x", "no host"),
            ("pause --host *.h.example", "a pattern"), ("pause --host .h.example", "a pattern"),
            ("prioritize --to 101 --all", "from -100 to 100"),
            ("pause --node n --state queued", "only what is held or has ended has a node"),
            ("retry --code timeout --state done", "only what has failed a code"),
        ]
    )
    func refuses(words: String, reason: String) {
        #expect { try selection(words) } throws: { FacefetchFleet.fullMessage(for: $0).contains(reason) }
    }
}
