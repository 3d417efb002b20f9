import CurlTransfer
import JobModel
import TestSupport
import Testing

/// Tests of how far a large file may get ahead of what a kill leaves of it.
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

    @Test("Where segments are noted, a file needs no store to go on, and a kill leaves what was written")
    func noted() async throws {
        try await TransferBench.run(notesSegments: true) { bench in
            let file = Self.file
            let gate = OriginGate()
            bench.origin.serve("/a.jpg") { request in
                let answer = file.answer(to: request).paced(bytesPerSecond: Self.pace)
                // All but the last part come whole.
                return request.range?.last == file.bytes.count - 1
                    ? answer.held(beforeByte: 1_000_000, by: gate) : answer
            }
            bench.limitStore(to: 1)
            let running = try bench.fetch("/a.jpg")
            // However slow the others are, the last part has begun then.
            await gate.reached()
            await running.progress(of: Int64(20 * Self.mib))
            let progress = lastProgress(running)
            // What has been sent of it may be on its way, and is noted a little later.
            while running.surviving?.ranges.count == 1, lastProgress(running) < 30 * Self.mib {
                try Task.checkCancellation()
                try await fetchAnother(bench)
            }
            let map = try #require(running.surviving)
            // What came since the last time, of each of four streams a last chunk.
            #expect(map.count >= progress - Int64(2 * Self.mib))
            checkSame(running, map)
            gate.open()
            #expect(await running.end == .completed(length: Int64(40 * Self.mib), lengthProven: true))
            let isWhole = running.partial == file.bytes
            #expect(isWhole)
        }
    }

    @Test("What a kill has left unsynced is not fetched again, and soon in the store")
    func goesOn() async throws {
        let file = Self.file
        let stored = SegmentMap(prefix: Int64(5 * Self.mib))
        var held = stored
        held.insert(Int64(5 * Self.mib)..<Int64(11 * Self.mib))
        held.insert(Int64(20 * Self.mib)..<Int64(39 * Self.mib))
        var partial = [UInt8](repeating: 0xEE, count: 39 * Self.mib)
        for range in held.ranges {
            let bounds = Int(range.lowerBound)..<Int(range.upperBound)
            partial.replaceSubrange(bounds, with: file.bytes[bounds])
        }
        let point = ResumePoint(
            offset: held.prefix,
            total: Int64(40 * Self.mib),
            validator: .entityTag("\"v1\""),
            held: held,
            unsyncedCount: held.count - stored.count
        )
        for notesSegments in [true, false] {
            try await TransferBench.run(notesSegments: notesSegments) {
                $0.segments = 1
            } _: { bench in
                let gate = OriginGate()
                bench.origin.serve("/a.jpg") { file.answer(to: $0).held(beforeByte: 1, by: gate) }
                let running = try bench.fetch("/a.jpg", resume: point, partial: partial)
                // Although the connection brings nothing.
                let told = await bench.report(of: running.job) {
                    if case .kept = $0 { true } else { false }
                }
                guard case .kept(let map) = told else { return }
                #expect(map.count >= held.count && map.count <= held.count + 1)
                #expect((running.surviving == nil) == !notesSegments)
                gate.open()
                #expect(await running.end == .completed(length: Int64(40 * Self.mib), lengthProven: true))
                let isWhole = running.partial == file.bytes
                #expect(isWhole)
                let sent = bench.origin.requests("/a.jpg").map(\.bodyBytesSent).reduce(0, +)
                #expect(sent == 40 * Self.mib - Int(held.count))
            }
        }
    }

    /// A partial has what a map claims.
    private func checkSame(_ running: TransferBench.Running, _ map: SegmentMap) {
        let partial = running.partial
        for range in map.ranges {
            let bounds = Int(range.lowerBound)..<Int(range.upperBound)
            let isSame = partial[bounds] == Self.file.bytes[bounds]
            #expect(isSame)
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

    @Test("A stream that is fast enough is not split, and none is without a map")
    func fast() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", Self.file)
            let running = try bench.fetch("/a.jpg")
            #expect(await running.end == .completed(length: Int64(40 * Self.mib), lengthProven: true))
            // The machine may be too busy for it to be fast; then there is a map first, and perhaps no more than that.
            let requests = bench.origin.requests("/a.jpg").count
            #expect(running.kept != nil || requests == 1)
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
            checkSame(running, map)
        }
    }
}
