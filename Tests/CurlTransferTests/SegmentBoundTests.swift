import CurlTransfer
import JobCore
import TestSupport
import Testing

/// How far a large file may get ahead of what a kill leaves of it.
@Suite("What a kill may cost", .timeLimit(.minutes(2)), .serialized)
struct SegmentBoundTests {
    private static let mib = 1 << 20
    private static let file = OriginFile(seed: 41, count: 40 * mib)
    /// Slow enough for several streams, and quick enough for a test.
    private static let pace = 16 * mib

    private func lastProgress(_ running: TransferBench.Running) -> Int64 {
        running.reports.reversed().lazy
            .compactMap { if case .progressed(let bytes) = $0 { bytes } else { nil } }.first ?? 0
    }

    @Test("A file in segments waits while the store doesn't take its map, and goes on when it does")
    func waitsForStore() async throws {
        try await TransferBench.run { bench in
            let file = Self.file
            bench.origin.serve("/a.jpg") { file.answer(to: $0).paced(bytesPerSecond: Self.pace) }
            bench.limitStore(to: 1)
            let running = try bench.fetch("/a.jpg")
            // The second map is the one that isn't taken: what is safe is what the first claims.
            _ = await bench.report(of: running.job) {
                if case .kept(let map) = $0 { map.count >= Int64(4 * Self.mib) } else { false }
            }
            let safe = try #require(
                running.reports.compactMap { if case .kept(let map) = $0 { map.count } else { nil } }.first
            )
            // It comes as far as it may.
            await running.progress(of: safe + Int64(7 * Self.mib))
            // What was on its way then is there when other files have come through the same thread.
            try await fetchAnother(bench)
            let reached = lastProgress(running)
            #expect(reached <= safe + Int64(8 * Self.mib))
            try await fetchAnother(bench)
            #expect(lastProgress(running) == reached, "it waits")
            bench.limitStore(to: .max)
            bench.confirm(running.job)
            #expect(await running.end == .completed(length: Int64(40 * Self.mib), lengthProven: true))
            let isWhole = running.partial == file.bytes
            #expect(isWhole)
        }
    }

    /// Fetches a file that takes a second, and is too small for segments.
    private func fetchAnother(_ bench: TransferBench) async throws {
        let length = 8 * Self.mib
        let file = OriginFile(seed: 42, count: length)
        bench.origin.serve("/b.jpg") { file.answer(to: $0).paced(bytesPerSecond: length) }
        let end = try await bench.fetch("/b.jpg").end
        #expect(end == .completed(length: Int64(length), lengthProven: true))
    }

    @Test("A stream that is fast enough is not split, and needs no map")
    func fast() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", Self.file)
            let running = try bench.fetch("/a.jpg")
            #expect(await running.end == .completed(length: Int64(40 * Self.mib), lengthProven: true))
            // The machine may be too busy for it to be fast.
            let requests = bench.origin.requests("/a.jpg").count
            #expect((requests == 1) == (running.kept == nil))
        }
    }

    @Test("A transfer thread that ends tells first what segments hold, all of it on the disk")
    func tellsAtEnd() async throws {
        try await TransferBench.run { bench in
            let file = Self.file
            bench.origin.serve("/a.jpg") { file.answer(to: $0).paced(bytesPerSecond: Self.pace) }
            let running = try bench.fetch("/a.jpg")
            _ = await bench.report(of: running.job) {
                if case .kept(let map) = $0 { map.ranges.count > 1 } else { false }
            }
            await running.progress(of: Int64(20 * Self.mib))
            bench.shutdown()
            let map = try #require(running.kept)
            #expect(map.count >= lastProgress(running))
            let partial = running.partial
            for range in map.ranges {
                let bounds = Int(range.lowerBound)..<Int(range.upperBound)
                let isSame = partial[bounds] == file.bytes[bounds]
                #expect(isSame)
            }
        }
    }
}
