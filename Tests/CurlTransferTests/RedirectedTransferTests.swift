import CurlTransfer
import JobModel
import TestSupport
import Testing
import Vocabulary

@Suite("A redirected transfer", .timeLimit(.minutes(1)))
struct RedirectedTransferTests {
    private let file = OriginFile(seed: 31, count: 50_000)

    @Test("arrives at the end of a chain")
    func chain() async throws {
        try await TransferBench.run { bench in
            for index in 0..<10 {
                bench.origin.serve("/\(index)") { _ in
                    .redirect("/\(index + 1)", status: [301, 302, 303, 307, 308][index % 5])
                }
            }
            bench.origin.serve("/10", file)
            let running = try bench.fetch("/0")
            #expect(await running.end == .completed(length: 50_000, lengthProven: true))
            #expect(running.partial == file.bytes)
        }
    }

    @Test("ends past the limit, and in a circle", arguments: ["/far/0", "/circle"])
    func limits(path: String) async throws {
        try await TransferBench.run { bench in
            for index in 0..<12 {
                bench.origin.serve("/far/\(index)") { _ in .redirect("/far/\(index + 1)") }
            }
            bench.origin.serve("/circle") { _ in .redirect("/square") }
            bench.origin.serve("/square") { _ in .redirect("/circle") }
            let end = try #require(try await bench.fetch(path).end)
            #expect(end.isRefusal)
            #expect(end.code == .tooManyRedirects)
        }
    }

    @Test("never leaves http and https", arguments: ["ftp://127.0.0.1/a", "file:///etc/passwd", "data:,x"])
    func schemes(target: String) async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in .redirect(target) }
            let end = try #require(try await bench.fetch("/a.jpg").end)
            #expect(end.isRefusal)
            #expect(end.code == .refusedRedirect)
        }
    }

    @Test("to another host takes no header field of the job along; a resume's own go with it")
    func otherHost() async throws {
        try await TransferBench.run { bench in
            let other = try Origin.start(address: "127.0.0.2")
            defer { other.stop() }
            let target = other.url("/b.jpg")
            bench.origin.serve("/a.jpg") { _ in .redirect("/at-home.jpg") }
            bench.origin.serve("/at-home.jpg") { _ in .redirect(target) }
            other.serve("/b.jpg", file)
            let secret = try RequestHeader(name: "Authorization", value: "Bearer secret")
            let point = ResumePoint(offset: 20_000, total: 50_000, validator: .entityTag("\"v1\""))
            let running = try bench.fetch(
                "/a.jpg",
                resume: point,
                partial: Array(file.bytes[..<20_000]),
                headers: [secret]
            )
            #expect(await running.end == .completed(length: 50_000, lengthProven: true))
            #expect(running.partial == file.bytes)
            #expect(bench.origin.requests("/at-home.jpg").first?.header("Authorization") == "Bearer secret")
            let last = try #require(other.requests("/b.jpg").first)
            #expect(last.header("Authorization") == nil)
            #expect(last.header("Range") == "bytes=20000-")
            #expect(last.header("If-Range") == "\"v1\"")
        }
    }

    @Test(
        "to an absolute URL keeps the credentials of the job's URL at its own server, and takes them nowhere else"
    )
    func credentials() async throws {
        try await TransferBench.run { bench in
            let other = try Origin.start(address: "127.0.0.2")
            let neighbour = try Origin.start()
            defer {
                other.stop()
                neighbour.stop()
            }
            let next = [
                bench.origin.url("/2"), "/3", neighbour.url("/4"), other.url("/5"), bench.origin.url("/6"),
            ]
            bench.origin.serve("/1") { _ in .redirect(next[0]) }
            bench.origin.serve("/2") { _ in .redirect(next[1]) }
            bench.origin.serve("/3") { _ in .redirect(next[2]) }
            neighbour.serve("/4") { _ in .redirect(next[3]) }
            other.serve("/5") { _ in .redirect(next[4]) }
            bench.origin.serve("/6", file)
            let url = try JobURL("http://ann:secret@127.0.0.1:\(bench.origin.port)/1")
            let running = try bench.fetch(url)
            #expect(await running.end == .completed(length: 50_000, lengthProven: true))
            let basic = "Basic YW5uOnNlY3JldA=="
            for path in ["/1", "/2", "/3", "/6"] {
                #expect(bench.origin.requests(path).first?.header("Authorization") == basic, "\(path)")
            }
            #expect(neighbour.requests("/4").count == 1 && other.requests("/5").count == 1)
            #expect((neighbour.requests + other.requests).allSatisfy { $0.header("Authorization") == nil })
        }
    }

    @Test("that leads elsewhere at the second try resumes only the same version")
    func changingTarget() async throws {
        try await TransferBench.run { bench in
            let other = OriginFile(seed: 32, count: 50_000, entityTag: "\"w1\"")
            bench.origin.serve("/a.jpg") {
                $0.index == 0 ? .redirect("/first.jpg") : .redirect("/second.jpg")
            }
            bench.origin.serve("/first.jpg") { _ in file.whole.cut(after: 20_000) }
            bench.origin.serve("/second.jpg", other)
            let first = try bench.fetch("/a.jpg")
            #expect(await first.end?.code == .truncated)
            let validator = try #require(first.start?.validator)
            let point = ResumePoint(offset: 20_000, total: 50_000, validator: validator)
            let second = try bench.fetch("/a.jpg", resume: point, partial: first.partial)
            #expect(await second.end == .completed(length: 50_000, lengthProven: true))
            #expect(second.start?.mode == .restarted(reason: "the file on the server has changed"))
            #expect(second.partial == other.bytes)
        }
    }

    @Test("to plain http is refused where the settings refuse it")
    func plainHTTP() async throws {
        try await TransferBench.run {
            $0.policy.plainHTTP = .refuse
        } _: { bench in
            bench.origin.serve("/a.jpg", file)
            let end = try #require(try await bench.fetch("/a.jpg").end)
            #expect(end.isRefusal)
            #expect(end.code == .refusedScheme)
            #expect(bench.origin.requests.isEmpty)
        }
    }
}
