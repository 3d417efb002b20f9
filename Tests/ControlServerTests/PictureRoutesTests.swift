import ControlAPI
import FoundationEssentials
import Glibc
import JobModel
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import ControlServer

@Suite("Pictures to show, on the control socket")
struct PictureRoutesTests {
    /// Makes what a test wants, and counts how often it was asked.
    private final class Painter: PicturePort {
        let answers: [PictureSize: PictureAnswer]
        let asked = Mutex<[PictureSize]>([])

        init(_ answers: [PictureSize: PictureAnswer]) { self.answers = answers }

        func picture(of document: ShownDocument, _ size: PictureSize) async -> PictureAnswer {
            asked.withLock { $0.append(size) }
            return answers[size] ?? .failed
        }
    }

    private func withDocument(
        _ painter: Painter,
        _ body: @escaping @Sendable (RunningServer, String) async throws -> Void
    ) async throws {
        var configuration = testConfiguration()
        configuration.pictures = painter
        try await withTemporaryDirectory { directory in
            let path = directory + "/1.jpg"
            try Data([1, 2, 3]).write(to: URL(filePath: path))
            try await withServer(configuration) { server in
                try await server.addFiles(2)
                try await server.engine.store(1, at: path)
                try await body(server, path)
            }
        }
    }

    @Test("a picture is a JPEG under the document's SHA-256, and is made once for who has it")
    func made() async throws {
        let painter = Painter([.thumb: .made([0xFF, 0xD8, 1]), .medium: .made([0xFF, 0xD8, 2])])
        try await withDocument(painter) { server, _ in
            let thumb = try await server.send("GET", "/v1/jobs/1/picture/thumb")
            #expect(thumb.status == 200 && thumb.body == [0xFF, 0xD8, 1])
            #expect(thumb.fields["content-type"] == "image/jpeg")
            let tag = try #require(thumb.fields["etag"])
            #expect(tag == "\"" + String(repeating: "0", count: 63) + "1\"")
            #expect(try await server.send("GET", "/v1/jobs/1/picture/medium").body == [0xFF, 0xD8, 2])
            let again = try await server.send(
                "GET",
                "/v1/jobs/1/picture/thumb",
                fields: ["If-None-Match": tag]
            )
            #expect(again.status == 304 && again.body.isEmpty)
            #expect(painter.asked.withLock { $0 } == [.thumb, .medium])
        }
    }

    @Test("there is none of what isn't stored, was removed, can't be read, or has no such size")
    func none() async throws {
        let painter = Painter([.thumb: .unreadable])
        try await withDocument(painter) { server, path in
            for (target, problem) in [
                ("/v1/jobs/9/picture/thumb", "404 no_such_job"),
                ("/v1/jobs/2/picture/thumb", "409 not_stored"),
                ("/v1/jobs/1/picture/thumb", "404 unreadable"), ("/v1/jobs/1/picture/huge", "404 not_found"),
                ("/v1/jobs/1/picture/large", "503 busy"), ("", "410 document_gone"),
            ] {
                if target.isEmpty { unlink(path) }
                let answer = try await server.send(
                    "GET",
                    target.isEmpty ? "/v1/jobs/1/picture/thumb" : target
                )
                let code = try answer.decoded(as: ProblemJSON.self).code
                #expect("\(answer.status) \(code)" == problem, "\(target)")
            }
        }
    }

    @Test("nobody is asked about a document that was found to be no picture")
    func known() async throws {
        let painter = Painter([.thumb: .made([1])])
        try await withDocument(painter) { server, _ in
            server.engine.engine.detected(
                JobID(rawValue: 1),
                DetectionResult(outcome: .unreadable, engine: "haar")
            )
            try await server.engine.settle()
            #expect(try await server.send("GET", "/v1/jobs/1/picture/thumb").status == 404)
            #expect(painter.asked.withLock { $0.isEmpty })
        }
    }

    /// Makes a picture once it is told to.
    private final class SlowPainter: PicturePort {
        let begun = AsyncStream<Void>.makeStream()
        let leave = AsyncStream<Void>.makeStream()

        func picture(of document: ShownDocument, _ size: PictureSize) async -> PictureAnswer {
            begun.continuation.finish()
            for await _ in leave.stream {}
            return Task.isCancelled ? .failed : .made([0xFF, 0xD8, 1])
        }
    }

    @Test("is sent to a client that has closed its half of the connection before it was made")
    func halfClosed() async throws {
        var configuration = testConfiguration()
        let painter = SlowPainter()
        configuration.pictures = painter
        try await withTemporaryDirectory { directory in
            let path = directory + "/1.jpg"
            try Data([1, 2, 3]).write(to: URL(filePath: path))
            try await withServer(configuration) { server in
                try await server.addFiles(1)
                try await server.engine.store(1, at: path)
                var client = try server.client()
                try await client.connection.send(HTTPClient.request("GET", "/v1/jobs/1/picture/thumb"))
                for await _ in painter.begun.stream {}
                client.connection.finishSending()
                // The server has seen the end of a half by the time that it answers what comes later.
                for _ in 1...3 { _ = try await server.send("GET", "/v1/status") }
                painter.leave.continuation.finish()
                let answer = try await client.response()
                #expect(answer.status == 200 && answer.body == [0xFF, 0xD8, 1])
            }
        }
    }
}
