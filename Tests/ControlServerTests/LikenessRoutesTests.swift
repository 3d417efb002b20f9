import ControlAPI
import FoundationEssentials
import Glibc
import JobModel
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import ControlServer

@Suite("Documents that look alike, on the control socket")
struct LikenessRoutesTests {
    /// Makes the fingerprint that a test wants.
    private final class Maker: PicturePort {
        let answer: FingerprintAnswer
        let asked = Mutex(0)

        init(_ answer: FingerprintAnswer) { self.answer = answer }

        func picture(of document: ShownDocument, _ size: PictureSize) async -> PictureAnswer { .failed }
        func fingerprint(of document: ShownDocument) async -> FingerprintAnswer {
            asked.withLock { $0 += 1 }
            return answer
        }
    }

    private func picture(_ bits: UInt64) -> SeenPicture? {
        var picture = SeenPicture(width: 40, height: 30, orientation: 1, format: "jpeg")
        picture?.fingerprint = Fingerprint(bits: bits)
        return picture
    }

    /// A server with a document for each fingerprint, 0 for none.
    private func withDocuments(
        _ bits: [UInt64],
        _ configuration: ControlServerConfiguration = testConfiguration(),
        at path: String? = nil,
        _ body: @escaping @Sendable (RunningServer) async throws -> Void
    ) async throws {
        try await withServer(configuration) { server in
            try await server.addFiles(bits.count)
            for (place, bits) in bits.enumerated() {
                let job = Int64(place + 1)
                try await server.engine.store(job, at: path)
                try await server.engine.look(job, faces: [], picture: picture(bits))
            }
            try await body(server)
        }
    }

    private func page(_ server: RunningServer, _ query: String = "") async throws -> PageJSON<AlikeJSON> {
        try await server.send("GET", "/v1/jobs/duplicates\(query)").decoded()
    }

    private func problem(_ server: RunningServer, _ method: String, _ target: String) async throws -> String {
        let answer = try await server.send(method, target)
        return "\(answer.status) \(try answer.decoded(as: ProblemJSON.self).code)"
    }

    @Test("groups come largest first, page by page, and go on on the next")
    func groups() async throws {
        try await withDocuments([0xF0, 0xFF00, 0xF1, 0xFF01, 0xF3, 0]) { server in
            let all = try await page(server, "?distance=1")
            #expect(all.items.map(\.job.id) == [1, 3, 5, 2, 4] && all.total == 5 && all.next == nil)
            #expect(all.items.map(\.group) == [1, 1, 1, 2, 2])
            #expect(all.items.map(\.groupSize) == [3, 3, 3, 2, 2])
            #expect(
                all.items.allSatisfy { $0.distance == nil } && all.items[0].job.detection?.fingerprint != nil
            )
            var (found, next): ([Int64], String?) = ([], nil)
            repeat {
                let part = try await page(server, "?distance=1&limit=2" + (next.map { "&after=\($0)" } ?? ""))
                #expect(part.items.count <= 2 && part.total == 5 && part.hasMore == (part.next != nil))
                found += part.items.map(\.job.id)
                next = part.next
            } while next != nil
            #expect(found == [1, 3, 5, 2, 4])
            #expect(try await page(server, "?distance=0").items.isEmpty)
            #expect(try await page(server, "?distance=1&q=3.jpg").items.isEmpty)
            #expect(try await page(server, "?batch=9").items.isEmpty)
            #expect(try await page(server, "?distance=1&ended_after=5").items.map(\.job.id) == [3, 5])
        }
    }

    @Test("a page of an answer that isn't kept is refused, and so is what can't be asked")
    func refused() async throws {
        try await withDocuments([0xF0, 0xF1, 0xF3]) { server in
            let first = try await page(server, "?limit=1")
            let next = try #require(first.next)
            let gone = "/v1/jobs/duplicates?after=0123456789abcdef-0"
            #expect(try await problem(server, "GET", gone) == "409 not_possible")
            for query in [
                "distance=17", "distance=-1", "distance=x", "after=1", "after=-",
                "after=\(next)0000000000000000000",
                "after=+123456789abcdef-0", "limit=0", "limit=1001", "state=done", "ids=1",
            ] {
                let answer = try await problem(server, "GET", "/v1/jobs/duplicates?\(query)")
                #expect(answer == "400 invalid_parameter", "\(query)")
            }
            // Forgotten ones are left out, and a place behind the end has nothing.
            _ = try await server.send("POST", "/v1/jobs/forget", "{\"ids\":[2]}")
            let rest = try await page(server, "?after=\(next)")
            #expect(rest.items.map(\.job.id) == [3] && !rest.hasMore)
            #expect(
                try await problem(server, "GET", "/v1/jobs/duplicates?after=\(next)") == "409 not_possible"
            )
        }
    }

    @Test("what is like one document comes the most alike first")
    func similar() async throws {
        try await withDocuments([0xF0, 0xF1, 0xF0, 0, 0xFFF0]) { server in
            let found: PageJSON<AlikeJSON> = try await server.send("GET", "/v1/jobs/1/similar").decoded()
            #expect(found.items.map(\.job.id) == [3, 2] && found.items.map(\.distance) == [0, 1])
            #expect(found.total == 2 && !found.hasMore && found.items.allSatisfy { $0.group == nil })
            let far: PageJSON<AlikeJSON> = try await server.send("GET", "/v1/jobs/1/similar?distance=8")
                .decoded()
            #expect(far.items.map(\.job.id) == [3, 2, 5])
            let few: PageJSON<AlikeJSON> = try await server.send("GET", "/v1/jobs/1/similar?limit=1")
                .decoded()
            #expect(few.items.map(\.job.id) == [3] && few.total == 2 && few.hasMore)
            let none: PageJSON<AlikeJSON> = try await server.send("GET", "/v1/jobs/4/similar").decoded()
            #expect(none.items.isEmpty && none.total == 0)
            #expect(try await problem(server, "GET", "/v1/jobs/9/similar") == "404 no_such_job")
            #expect(
                try await problem(server, "GET", "/v1/jobs/1/similar?distance=17") == "400 invalid_parameter"
            )
        }
    }

    /// A server with one document that is there, looked at without a fingerprint.
    private func withPlainDocument(
        _ answer: FingerprintAnswer,
        _ body: @escaping @Sendable (RunningServer, Maker) async throws -> Void
    ) async throws {
        let maker = Maker(answer)
        var configuration = testConfiguration()
        configuration.pictures = maker
        let told = configuration
        try await withTemporaryDirectory { directory in
            let path = directory + "/1.jpg"
            try Data([1, 2, 3]).write(to: URL(filePath: path))
            try await withDocuments([0], told, at: path) { try await body($0, maker) }
        }
    }

    @Test("a fingerprint is made once, changes nothing else of the result, and is there after a restart")
    func made() async throws {
        try await withPlainDocument(.made(Fingerprint(bits: 0xABC))) { server, maker in
            let before = try await server.job(1)
            #expect(before.detection?.fingerprint == nil)
            let after: JobJSON = try await server.send("POST", "/v1/jobs/1/fingerprint").decoded()
            #expect(after.detection?.fingerprint == "0000000000000abc")
            var same = try #require(after.detection)
            same.fingerprint = nil
            #expect(same == before.detection && after.ended == before.ended && after.state == before.state)
            let stored = try await server.engine.queries.job(JobID(rawValue: 1))
            #expect(stored?.fingerprint?.bits == 0xABC)
            _ = try await server.send("POST", "/v1/jobs/1/fingerprint")
            #expect(maker.asked.withLock { $0 } == 1)
        }
    }

    @Test(
        "a flat picture gets none and isn't opened again, and what can't be done is said",
        arguments: [
            (FingerprintAnswer.made(nil), ""), (.unreadable, "404 unreadable"),
            (.changed, "409 not_possible"),
            (.failed, "503 busy"),
        ]
    )
    func notMade(_ answer: FingerprintAnswer, _ expected: String) async throws {
        try await withPlainDocument(answer) { server, maker in
            if expected.isEmpty {
                for _ in 0..<2 {
                    let job: JobJSON = try await server.send("POST", "/v1/jobs/1/fingerprint").decoded()
                    #expect(job.detection?.faceCount == 0 && job.detection?.fingerprint == nil)
                }
                #expect(maker.asked.withLock { $0 } == 1)
            } else {
                #expect(try await problem(server, "POST", "/v1/jobs/1/fingerprint") == expected)
            }
            try await server.addFiles(1)
            #expect(try await problem(server, "POST", "/v1/jobs/2/fingerprint") == "409 not_stored")
            #expect(try await problem(server, "POST", "/v1/jobs/9/fingerprint") == "404 no_such_job")
        }
    }
}
