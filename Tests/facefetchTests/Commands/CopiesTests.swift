import Foundation
import TestSupport
import Testing

@Suite("facefetch copies")
struct CopiesTests {
    private static func copies(
        _ list: EndedList,
        _ arguments: [String]
    ) async throws -> (result: ClientProcess.Result, requests: [ScriptedDaemon.Request]) {
        let daemon = try list.daemon()
        let result = try await ClientProcess.run(["copies", "--socket", daemon.socketPath] + arguments)
        return (result, daemon.requests)
    }

    @Test("The filter goes to the daemon, and only jobs that are done are asked for")
    func filter() async throws {
        let directory = try TemporaryDirectory()
        let (result, requests) = try await Self.copies(
            EndedList([]),
            [
                "--crops", "--out", directory.path("o"), "--batch", "b3", "--source", "museum",
                "--min-faces", "2", "--match", "a b", "--meta", "album=x=y", "--ended-after", "0",
            ]
        )
        #expect(result.status == 0 && result.output.isEmpty)
        #expect(result.errors.contains("Made 0 copies of 0 pictures"))
        let query = try #require(requests.first?.query)
        #expect(query["batch"] == "3" && query["source"] == "museum" && query["faces_min"] == "2")
        #expect(query["q"] == "a b" && query["meta.album"] == "x=y" && query["ended_after"] == "0")
        #expect(query["ending"] == "done")
    }

    @Test("What nobody has counted, or has no size or document, is named with what to do")
    func unknown() async throws {
        let directory = try TemporaryDirectory()
        let list = EndedList([
            EndedList.picture(1, size: nil), EndedList.picture(2, name: "gone\u{1b}.jpg"),
            EndedList.picture(3, faces: []),
        ])
        let result = try await Self.copies(list, ["--crops", "--out", directory.path("o")]).result
        #expect(result.status == 1)
        #expect(result.errors.contains("its size isn't known: facefetch detect j1"))
        let gone = "j2, \"gone\\u{1b}.jpg\", can't be copied: its document can't be opened"
        #expect(result.errors.contains(gone))
        #expect(result.errors.contains("1 picture had no faces; 2 could not be copied."))
        let arguments = ["--crops", "--aligned", "--out", directory.path("o")]
        let aligned = try await Self.copies(list, arguments).result
        #expect(aligned.status == 1 && aligned.errors.contains("facefetch detect j2 --engine yunet"))
    }

    @Test(
        "Bad usage ends with 2, and nothing is asked or written",
        arguments: [
            ["--out", "o"], ["--crops"], ["--crops", "--redacted", "--out", "o"], ["--crops", "--out", ""],
            ["--redacted", "--square", "--out", "o"], ["--crops", "--square", "--aligned", "--out", "o"],
            ["--crops", "--with", "blur", "--out", "o"], ["--redacted", "--with", "ink", "--out", "o"],
            ["--crops", "--engine", "haar", "--out", "o"], ["--crops", "--workers", "0", "--out", "o"],
        ]
    )
    func usage(arguments: [String]) async throws {
        let (result, requests) = try await Self.copies(EndedList([]), arguments)
        #expect(result.status == 2 && !result.errors.isEmpty && requests.isEmpty)
    }

    @Test("On a terminal, a line says how far it is, and is gone in the end", .timeLimit(.minutes(1)))
    func progress() async throws {
        let directory = try TemporaryDirectory()
        let window = try PseudoTerminal(columns: 200)
        // As many pages of pictures without a face as it takes.
        let daemon = try ScriptedDaemon { request in
            let number = (Int64(request.query["ended_after"] ?? "") ?? 0) + 1
            let isLast = window.transcript.text.contains(" of 7,000,000 pictures in ")
            let text = """
                {"has_more":\(!isLast),"items":[\(EndedList.picture(number, faces: []).json)],\
                "newest":1000000000,"next":\(isLast ? "null" : "\"\(number)\""),"oldest":0,"total":7000000}
                """
            return .whole(status: 200, type: "application/json", body: Data(text.utf8))
        }
        let process = try ClientProcess(
            ["copies", "--socket", daemon.socketPath, "--crops", "--out", directory.path("o")],
            terminal: window,
            errorsToo: true
        )
        #expect(await process.result().status == 0)
        let screen = Screen(columns: 200, rows: 24).showing(window.transcript.text)
        #expect(screen.count == 1, "\(screen)")
        #expect(screen.first?.hasPrefix("facefetch: Made 0 copies of 0 pictures in ") == true, "\(screen)")
        #expect(screen.first?.hasSuffix(" pictures had no faces.") == true, "\(screen)")
    }
}
