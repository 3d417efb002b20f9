import CurlTransfer
import JobModel
import TestSupport
import Testing

@Suite("Stopping", .timeLimit(.minutes(1)))
struct StoppedTransferTests {
    private let file = OriginFile(seed: 21, count: 500_000)

    @Test("keeps the bytes that came, and says how many")
    func keepsBytes() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.held(beforeByte: 200_000, by: OriginGate()) }
            let running = try bench.fetch("/a.jpg")
            await running.progress(of: 200_000)
            running.stop()
            #expect(await running.end == .stopped)
            #expect(running.partial == Array(file.bytes[..<200_000]))
        }
    }

    @Test("before the server answers leaves no partial behind")
    func beforeAnswer() async throws {
        try await TransferBench.run { bench in
            let gate = OriginGate()
            bench.origin.serve("/a.jpg") { _ in file.whole.held(by: gate) }
            let running = try bench.fetch("/a.jpg")
            await gate.reached()
            running.stop()
            #expect(await running.end == .stopped)
            let names = try bench.directory.names()
            #expect(names.isEmpty)
        }
    }

    @Test("a transfer that has ended says nothing more")
    func afterTheEnd() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            let running = try bench.fetch("/a.jpg")
            _ = await running.end
            let before = running.reports
            running.stop()
            await bench.checkIn()
            #expect(running.reports == before)
        }
    }

    @Test("one transfer leaves the others alone, and its permit can be used again")
    func others() async throws {
        try await TransferBench.run { bench in
            let gate = OriginGate()
            bench.origin.serve("/a.jpg") { _ in file.whole.held(beforeByte: 100_000, by: gate) }
            let (stopped, other) = (try bench.fetch("/a.jpg"), try bench.fetch("/a.jpg"))
            await stopped.progress(of: 100_000)
            stopped.stop()
            #expect(await stopped.end == .stopped)
            gate.open()
            #expect(await other.end == .completed(length: 500_000, lengthProven: true))
            let point = ResumePoint(offset: 100_000, total: 500_000, validator: .entityTag("\"v1\""))
            bench.origin.serve("/a.jpg", file)
            let again = try bench.fetch("/a.jpg", resume: point, partial: stopped.partial)
            #expect(await again.end == .completed(length: 500_000, lengthProven: true))
            #expect(again.partial == file.bytes)
        }
    }

    @Test("everything joins the thread, keeps the partials and reports nothing more")
    func shutdown() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in file.whole.held(beforeByte: 200_000, by: OriginGate()) }
            let running = try bench.fetch("/a.jpg")
            await running.progress(of: 200_000)
            let before = running.reports
            bench.shutdown()
            bench.shutdown()
            #expect(running.reports == before)
            #expect(running.partial.count == 200_000)
        }
    }
}
