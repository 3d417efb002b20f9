import CurlTransfer
import JobModel
import TestSupport
import Testing
import Vocabulary

@Suite("A transfer that is cut off", .timeLimit(.minutes(1)))
struct InterruptedTransferTests {
    private let file = OriginFile(seed: 11, count: 100_000)

    @Test("by a closed connection is truncated; its bytes stay")
    func truncated() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.cut(after: 40_000) }
            let running = try bench.fetch("/a.jpg")
            let end = try #require(await running.end)
            #expect(end.isTransient)
            #expect(end.code == .truncated)
            #expect(running.partial == Array(file.bytes[..<40_000]))
            #expect(running.reports.dropLast().last == .progressed(bytes: 40_000))
        }
    }

    @Test("by a closed connection between chunks is truncated")
    func truncatedChunks() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.framed(.chunked).cut(after: 40_000) }
            let end = try await bench.fetch("/a.jpg").end
            #expect(end?.code == .truncated)
        }
    }

    @Test("by a Content-Length that promises too much is truncated")
    func tooShort() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.framed(.announced(100_001)) }
            let end = try #require(try await bench.fetch("/a.jpg").end)
            #expect(end.code == .truncated)
        }
    }

    @Test("by a reset has lost its connection")
    func reset() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.cut(after: 40_000, .reset) }
            let running = try bench.fetch("/a.jpg")
            let end = try #require(await running.end)
            #expect(end.isTransient)
            #expect(end.code == .connectionLost)
        }
    }

    @Test("by a part that ends before the file does asks for the rest, and keeps what it has if that fails")
    func shortPart() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { request in
                guard request.index == 0 else { return OriginAnswer(500) }
                return file.part(from: 10_000, to: 59_999)
            }
            let point = ResumePoint(offset: 10_000, total: 100_000, validator: .entityTag("\"v1\""))
            let running = try bench.fetch("/a.jpg", resume: point, partial: Array(file.bytes[..<10_000]))
            let end = try #require(await running.end)
            #expect(end.code == .http(500) && end.isTransient)
            #expect(running.partial == Array(file.bytes[..<60_000]))
            #expect(bench.origin.requests.last?.header("Range") == "bytes=60000-99999")
        }
    }

    @Test("for want of a listener can't connect")
    func nobodyListens() async throws {
        try await TransferBench.run { bench in
            let other = try Origin.start()
            let url = try other.jobURL("/a.jpg")
            other.stop()
            let end = try #require(try await bench.fetch(url).end)
            #expect(end.isTransient)
            #expect(end.code == .connectFailed)
        }
    }

    @Test("for want of an address has an unresolved host")
    func unresolvedHost() async throws {
        try await TransferBench.run { bench in
            let end = try #require(try await bench.fetch(JobURL("http://nowhere.invalid/a.jpg")).end)
            #expect(end.isTransient)
            #expect(end.code == .unresolvedHost)
        }
    }

    @Test("by a connection that closes without an answer has lost it")
    func noAnswer() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in .garbage([]) }
            let end = try #require(try await bench.fetch("/a.jpg").end)
            #expect(end.isTransient)
            #expect(end.code == .connectionLost)
        }
    }

    @Test("by a server that never answers has timed out")
    func neverAnswers() async throws {
        try await TransferBench.run {
            $0.lowSpeedTime = 1
        } _: { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.held(by: OriginGate()) }
            let end = try #require(try await bench.fetch("/a.jpg").end)
            #expect(end.isTransient)
            #expect(end.code == .timedOut)
        }
    }

    @Test("by a server that falls silent is stalled; its bytes stay")
    func stalls() async throws {
        try await TransferBench.run {
            $0.lowSpeedTime = 1
        } _: { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.held(beforeByte: 30_000, by: OriginGate()) }
            let running = try bench.fetch("/a.jpg")
            let end = try #require(await running.end)
            #expect(end.isTransient)
            #expect(end.code == .stalled)
            #expect(running.partial.count == 30_000)
        }
    }
}
