import CurlTransfer
import JobModel
import TestSupport
import Testing

@Suite("A resumed transfer", .timeLimit(.minutes(1)))
struct ResumedTransferTests {
    private let file = OriginFile(seed: 7, count: 200_000)
    private let point = ResumePoint(offset: 70_000, total: 200_000, validator: .entityTag("\"v1\""))
    private static let asksToRestart: @Sendable (TransferReport) -> Bool = {
        if case .restarting = $0 { true } else { false }
    }
    private var firstPart: [UInt8] { Array(file.bytes[..<70_000]) }

    @Test("asks for the rest under If-Range, and appends it")
    func resumes() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            let running = try bench.fetch("/a.jpg", resume: point, partial: firstPart)
            #expect(await running.end == .completed(length: 200_000, lengthProven: true))
            #expect(running.start?.mode == .resumed)
            #expect(running.start?.offset == 70_000)
            #expect(running.partial == file.bytes)
            let request = try #require(bench.origin.requests("/a.jpg").first)
            #expect(request.header("Range") == "bytes=70000-")
            #expect(request.header("If-Range") == "\"v1\"")
            #expect(request.header("Accept-Encoding") == "identity")
            #expect(request.bodyBytesSent == 130_000)
        }
    }

    @Test("cuts off what the partial holds beyond the point")
    func cutsPartial() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            let tooMuch = firstPart + [UInt8](repeating: 0, count: 500_000)
            let running = try bench.fetch("/a.jpg", resume: point, partial: tooMuch)
            #expect(await running.end == .completed(length: 200_000, lengthProven: true))
            #expect(running.partial == file.bytes)
        }
    }

    @Test("restarts with the body at hand when the server sends the whole file")
    func restarts() async throws {
        try await TransferBench.run { bench in
            let changed = OriginFile(seed: 8, count: 150_000, entityTag: "\"v2\"")
            bench.origin.serve("/a.jpg", changed)
            let running = try bench.fetch("/a.jpg", resume: point, partial: firstPart)
            #expect(await running.end == .completed(length: 150_000, lengthProven: true))
            #expect(running.start?.mode == .restarted(reason: "the file on the server has changed"))
            #expect(running.start?.validator == .entityTag("\"v2\""))
            #expect(running.partial == changed.bytes)
        }
    }

    @Test(
        "leaves the partial alone until the store has given it up, then restarts with the body at hand",
        arguments: [1, 5000, 150_000, 3_000_000]
    )
    func restartsWhenConfirmed(count: Int) async throws {
        try await TransferBench.run { bench in
            let changed = OriginFile(seed: 8, count: count, entityTag: "\"v2\"")
            bench.origin.serve("/a.jpg", changed)
            bench.limitStore(to: 0)
            let running = try bench.fetch("/a.jpg", resume: point, partial: firstPart)
            let asked = await bench.report(of: running.job, where: Self.asksToRestart)
            #expect(asked == .restarting(reason: "the file on the server has changed"))
            for _ in 0..<10 { await bench.checkIn() }
            #expect(running.reports == [asked])
            #expect(running.partial == firstPart)
            bench.confirm(running.job)
            #expect(await running.end == .completed(length: Int64(count), lengthProven: true))
            #expect(running.start?.mode == .restarted(reason: "the file on the server has changed"))
            #expect(running.partial == changed.bytes)
            #expect(bench.origin.requests("/a.jpg").count == 1)
        }
    }

    @Test("leaves the partial alone where the answer has no byte")
    func empty() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", OriginFile([], entityTag: "\"v2\""))
            let running = try bench.fetch("/a.jpg", resume: point, partial: firstPart)
            let end = await running.end
            #expect(end?.isTransient == true && end?.code == .empty)
            #expect(running.partial == firstPart)
        }
    }

    @Test("leaves the partial alone where it is stopped, or cut off, before the store has given it up")
    func restartsNever() async throws {
        try await TransferBench.run { bench in
            for count in [1, 5000] {
                bench.origin.serve("/a.jpg", OriginFile(seed: 8, count: count, entityTag: "\"v2\""))
                bench.limitStore(to: 0)
                let running = try bench.fetch("/a.jpg", resume: point, partial: firstPart)
                _ = await bench.report(of: running.job, where: Self.asksToRestart)
                running.stop()
                #expect(await running.end == .stopped)
                bench.confirm(running.job)
                await bench.checkIn()
                #expect(running.partial == firstPart)
            }
        }
    }

    @Test("keeps the partial and asks to begin anew when the part is another")
    func otherPart() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in
                file.part(from: 70_000).header("Content-Range", "bytes 60000-199999/200000")
            }
            let running = try bench.fetch("/a.jpg", resume: point, partial: firstPart)
            #expect(await running.end?.isMustRestart == true)
            #expect(running.start == nil)
            #expect(running.partial == firstPart)
        }
    }

    @Test("asks to begin anew when the partial is gone or too short", arguments: [nil, 69_999])
    func missingBytes(length: Int?) async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            let running = try bench.fetch(
                "/a.jpg",
                resume: point,
                partial: length.map { Array(file.bytes[..<$0]) }
            )
            #expect(await running.end?.isMustRestart == true)
        }
    }

    @Test("of a partial that is complete ends without a request")
    func complete() async throws {
        try await TransferBench.run { bench in
            let point = ResumePoint(offset: 200_000, total: 200_000, validator: .entityTag("\"v1\""))
            let running = try bench.fetch("/a.jpg", resume: point, partial: file.bytes)
            #expect(await running.end == .completed(length: 200_000, lengthProven: true))
            #expect(bench.origin.requests.isEmpty)
        }
    }

    @Test("is complete when a 416 names the very version and length of the partial")
    func completeBy416() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            let point = ResumePoint(offset: 200_000, total: nil, validator: .entityTag("\"v1\""))
            let running = try bench.fetch("/a.jpg", resume: point, partial: file.bytes)
            #expect(await running.end == .completed(length: 200_000, lengthProven: true))
            #expect(running.partial == file.bytes)
        }
    }

    @Test("goes on from where a cut connection left it, again and again")
    func manyCuts() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { file.answer(to: $0).cut(after: 50_000, .reset) }
            var resume: ResumePoint?
            var partial: [UInt8]?
            for _ in 0..<3 {
                let running = try bench.fetch("/a.jpg", resume: resume, partial: partial)
                let end = try #require(await running.end)
                #expect(end.isTransient)
                partial = running.partial
                resume = ResumePoint(
                    offset: Int64(running.partial.count),
                    total: 200_000,
                    validator: .entityTag("\"v1\"")
                )
            }
            bench.origin.serve("/a.jpg", file)
            let last = try bench.fetch("/a.jpg", resume: resume, partial: partial)
            #expect(await last.end == .completed(length: 200_000, lengthProven: true))
            #expect(last.partial == file.bytes)
        }
    }
}
