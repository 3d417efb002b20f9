import ControlAPI
import Foundation
import TestSupport
import Testing

@Suite("facefetch add, of lists that are partly bad, and of patterns")
struct AddListTests {
    @Test("Bad lines are left out on request, and told with their reasons; the command ends with 1")
    func skipsBad() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.batch([1, 2]), status: 201) }
        let list = "http://h/a.jpg\nftp://h/b.jpg\t\"the \"\"b\"\"\"\nhttp://h/c.jpg\n"
        let told = try await ClientProcess.run(
            ["add", "--from", "-", "--skip-bad", "--socket", daemon.socketPath],
            input: list
        )
        #expect(told.status == 1)
        #expect(
            told.errors == """
                facefetch: standard input line 2, "ftp://h/b.jpg", is left out: \
                only http: and https: URLs can be fetched, not ftp:.
                facefetch: Left out 1 of 3 lines as bad.

                """
        )
        let batch = try JSONDecoder().decode(
            BatchRequest.self,
            from: try #require(daemon.requests.first).body
        )
        #expect(batch.items.map(\.url) == ["http://h/a.jpg", "http://h/c.jpg"])
        let directory = try TemporaryDirectory()
        let bad = directory.path("bad.txt")
        let options = ["--from", "-", "--socket", daemon.socketPath, "--skip-bad", bad]
        #expect(try await ClientProcess.run(["add"] + options, input: list).status == 1)
        let words = "# standard input line 2: only http: and https: URLs can be fetched, not ftp:.\n"
        #expect(
            try String(contentsOfFile: bad, encoding: .utf8) == words + "ftp://h/b.jpg\t\"the \"\"b\"\"\"\n"
        )
        // What can't be kept is told.
        let nowhere = [
            "--from", "-", "--socket", daemon.socketPath, "--skip-bad", directory.path("no/bad.txt"),
        ]
        let lost = try await ClientProcess.run(["add"] + nowhere, input: list)
        #expect(lost.status != 0 && lost.errors.contains("\"ftp://h/b.jpg\", is left out"))
        // Nothing is added where the file is there already, whose lines somebody may still need.
        let count = daemon.requests.count
        let again = try await ClientProcess.run(["add"] + options, input: list)
        #expect(again.status == 2 && again.errors.contains("is there already"))
        #expect(daemon.requests.count == count)
    }

    @Test("Where nothing is bad, leaving it out changes nothing")
    func skipsNothing() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.batch([1]), status: 201) }
        let result = try await ClientProcess.run(
            ["add", "--from", "-", "--skip-bad", "--socket", daemon.socketPath],
            input: "http://h/a.jpg\n"
        )
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }

    @Test("A pattern is refused with what helps, expanded on request, and shown before that")
    func patterns() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.batch([1, 2]), status: 201) }
        let pattern = ["add", "--socket", daemon.socketPath, "http://h/[01-02].jpg"]
        let refused = try await ClientProcess.run(pattern)
        #expect(refused.status == 2 && refused.errors.contains("a pattern of 2 URLs: add it with --expand"))
        let shown = try await ClientProcess.run(pattern + ["--expand", "--dry-run"])
        #expect(shown.status == 0 && shown.output == "http://h/01.jpg\nhttp://h/02.jpg\n")
        let bad = try await ClientProcess.run(pattern + ["ftp://h/", "--expand", "--dry-run"])
        #expect(bad.status == 2 && bad.output.isEmpty && bad.errors.contains("not ftp:"))
        #expect(daemon.requests.isEmpty)
        #expect(try await ClientProcess.run(pattern + ["--expand"]).status == 0)
        let batch = try JSONDecoder().decode(
            BatchRequest.self,
            from: try #require(daemon.requests.first).body
        )
        #expect(batch.items.map(\.url) == ["http://h/01.jpg", "http://h/02.jpg"])
        let named = try await ClientProcess.run(
            ["add", "--from", "-", "--expand", "--socket", daemon.socketPath],
            input: "http://h/[1-2].jpg\tone name\n"
        )
        #expect(named.status == 2 && named.errors.contains("2 files of one name"))
        let left = try await ClientProcess.run(
            ["add", "--from", "-", "--skip-bad", "--socket", daemon.socketPath],
            input: "http://h/[1-2].jpg\nhttp://h/3.jpg\n"
        )
        #expect(left.status == 1 && left.errors.contains("Left out 1 of 2 lines as bad."))
    }
}
