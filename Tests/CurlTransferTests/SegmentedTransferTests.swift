import CurlTransfer
import JobModel
import TestSupport
import Testing

@Suite("A large file", .timeLimit(.minutes(2)), .serialized)
struct SegmentedTransferTests {
    private static let mib = 1 << 20
    private static let file = OriginFile(seed: 40, count: 40 * mib)
    private var file: OriginFile { Self.file }
    private var length: Int64 { Int64(40 * Self.mib) }

    /// Fetches the file, whose answers `bend` may spoil, while the first stream waits in mid-file.
    ///
    /// The gate opens when `others` requests more have come to their answers' ends.
    private func fetch(
        _ bench: TransferBench,
        after others: Int = 3,
        bend: @escaping @Sendable (OriginRequest) -> OriginAnswer?
    ) async throws -> TransferBench.Running {
        let gate = OriginGate()
        let whole = file
        bench.origin.serve("/a.jpg") { request in
            if request.index == 0 { return whole.whole.held(beforeByte: Self.mib, by: gate) }
            if request.index >= others { gate.open() }
            return bend(request) ?? whole.answer(to: request)
        }
        return try bench.fetch("/a.jpg")
    }

    private func checkWhole(_ running: TransferBench.Running) async throws {
        #expect(await running.end == .completed(length: length, lengthProven: true))
        // Never compared within an expectation: it would look for every difference in 40 MiB.
        let isSame = running.partial == file.bytes
        #expect(isSame)
        var last: Int64 = 0
        for case .progressed(let bytes) in running.reports {
            #expect(bytes >= last, "bytes only grow")
            last = bytes
        }
        #expect(last == length)
    }

    @Test("comes in four streams, each asked for with a range under If-Range")
    func four() async throws {
        try await TransferBench.run { bench in
            let running = try await fetch(bench) { _ in nil }
            try await checkWhole(running)
            let requests = bench.origin.requests("/a.jpg")
            #expect(requests[0].header("Range") == nil)
            let ranges = Set(requests[1...3].compactMap { $0.header("Range") })
            #expect(ranges.count == 3)
            #expect(requests[1...].allSatisfy { $0.header("If-Range") == "\"v1\"" })
            #expect(requests.allSatisfy { $0.header("Accept-Encoding") == "identity" })
            #expect(bench.origin.connectionCount == 4 || requests.count > 4)
            #expect(running.kept == SegmentMap(prefix: length))
        }
    }

    @Test("comes in pieces, several of them on one connection, and needs a small map at any time")
    func pieces() async throws {
        try await TransferBench.run { bench in
            let file = file
            bench.origin.serve("/a.jpg") { file.answer(to: $0).paced(bytesPerSecond: 16 * Self.mib) }
            let running = try bench.fetch("/a.jpg")
            try await checkWhole(running)
            #expect(bench.origin.requests("/a.jpg").count > bench.origin.connectionCount)
            let ranges = running.reports.compactMap {
                if case .kept(let map) = $0 { map.ranges.count } else { nil }
            }
            #expect(ranges.max() ?? 0 > 1)
            #expect(ranges.allSatisfy { $0 <= 5 }, "one a stream, and one more")
        }
    }

    @Test("comes in one stream where the settings say so, or nothing could prove a part")
    func one() async throws {
        try await TransferBench.run {
            $0.segments = 1
        } _: { bench in
            bench.origin.serve("/a.jpg", file)
            try await checkWhole(try bench.fetch("/a.jpg"))
            #expect(bench.origin.requests.count == 1)
        }
        try await TransferBench.run { bench in
            var weak = file
            weak.entityTag = "W/\"v1\""
            let served = weak
            bench.origin.serve("/weak.jpg", served)
            bench.origin.serve("/none.jpg") { _ in
                served.whole.header("ETag", "\"v1\"").header("Accept-Ranges", "none")
            }
            bench.origin.serve("/small.jpg", OriginFile(seed: 1, count: 32 * Self.mib))
            for path in ["/weak.jpg", "/none.jpg", "/small.jpg"] {
                let running = try bench.fetch(path)
                #expect(await running.end?.code == nil)
                #expect(bench.origin.requests(path).count == 1)
                #expect(running.kept == nil)
            }
        }
    }

    @Test("keeps to its own rate, however many streams share it")
    func ownRate() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            let clock = ContinuousClock()
            let began = clock.now
            let running = try bench.fetch("/a.jpg", rateLimit: 20_000_000)
            try await checkWhole(running)
            #expect(bench.origin.requests("/a.jpg").count > 1, "it came in segments")
            // 42 MB, of which a tenth of a second's worth and a last chunk of each stream come free.
            #expect(clock.now - began > .milliseconds(1600))
        }
    }

    @Test("comes from a server without ranges in the first stream, and nothing twice")
    func withoutRanges() async throws {
        try await TransferBench.run { bench in
            let whole = file.whole
            let running = try await fetch(bench) { _ in whole }
            try await checkWhole(running)
            #expect(bench.origin.requests("/a.jpg").count == 4)
        }
    }

    enum Fault: CaseIterable, Sendable {
        case whole, unsatisfiable, otherStart, otherVersion, cut, cutAtOnce, refused, busy, circle, garbage
        case shorter, tiny
    }

    @Test("survives one segment that is answered strangely or cut", arguments: Fault.allCases)
    func fault(_ fault: Fault) async throws {
        try await TransferBench.run { bench in
            let file = file
            let running = try await fetch(bench) { request in
                guard request.index == 2, let range = request.range else { return nil }
                let answer = file.answer(to: request)
                switch fault {
                case .whole: return file.whole
                case .unsatisfiable: return OriginAnswer(416).header("Content-Range", "bytes */1000")
                case .otherStart: return file.part(from: range.first - 5, to: range.last)
                case .otherVersion: return answer.header("ETag", "\"v2\"")
                case .cut: return answer.cut(after: 3 * Self.mib, .reset)
                case .cutAtOnce: return answer.cut(after: 0)
                case .refused: return OriginAnswer(403)
                case .busy: return OriginAnswer(503).header("Retry-After", "3")
                case .circle: return .redirect(request.target)
                case .garbage: return .garbage(Array("no HTTP\r\n\r\n".utf8))
                case .shorter: return file.part(from: range.first, to: range.first + 99_999)
                case .tiny: return file.part(from: range.first, to: range.first)
                }
            }
            try await checkWhole(running)
            let lengths = bench.origin.requests("/a.jpg").dropFirst().map(\.bodyBytesSent).reduce(0, +)
            #expect(lengths <= 60 * Self.mib, "the parts weren't fetched again and again")
        }
    }

    @Test("isn't asked for byte by byte where each part is answered with one")
    func tinyParts() async throws {
        try await TransferBench.run { bench in
            let file = file
            let running = try await fetch(bench) { request in
                request.range.map { file.part(from: $0.first, to: $0.first) }
            }
            try await checkWhole(running)
            #expect(bench.origin.requests("/a.jpg").count == 4, "the first stream brings all")
            bench.origin.serve("/b.jpg") { request in
                request.range.map { file.part(from: $0.first, to: $0.first) }
                    ?? file.whole.cut(after: 20 * Self.mib)
            }
            #expect(try await bench.fetch("/b.jpg").end?.code == .truncated)
            #expect(bench.origin.requests("/b.jpg").count <= 8)
        }
    }

    @Test("survives a segment that stalls")
    func stalled() async throws {
        try await TransferBench.run {
            $0.lowSpeedTime = 1
        } _: { bench in
            let (file, stall) = (file, OriginGate())
            bench.origin.serve("/a.jpg") { request in
                let answer = file.answer(to: request)
                return request.index == 2
                    ? answer.held(beforeByte: 100_000, by: stall) : answer.paced(bytesPerSecond: 4 * Self.mib)
            }
            try await checkWhole(try bench.fetch("/a.jpg"))
        }
    }

    @Test("goes on by the map of what was kept, whatever else the partial holds")
    func resumes() async throws {
        var held = SegmentMap()
        held.insert(0..<Int64(5 * Self.mib))
        held.insert(Int64(10 * Self.mib)..<Int64(11 * Self.mib))
        held.insert(Int64(35 * Self.mib)..<Int64(40 * Self.mib))
        var partial = [UInt8](repeating: 0xEE, count: 40 * Self.mib)
        for range in held.ranges {
            partial.replaceSubrange(
                Int(range.lowerBound)..<Int(range.upperBound),
                with: file.bytes[Int(range.lowerBound)..<Int(range.upperBound)]
            )
        }
        let point = ResumePoint(
            offset: held.prefix,
            total: length,
            validator: .entityTag("\"v1\""),
            held: held
        )
        for segments in [1, 4] {
            try await TransferBench.run {
                $0.segments = segments
            } _: { bench in
                bench.origin.serve("/a.jpg", file)
                let running = try bench.fetch("/a.jpg", resume: point, partial: partial)
                try await checkWhole(running)
                #expect(running.start?.offset == held.count)
                #expect(running.start?.mode == .resumed)
                let sent = bench.origin.requests("/a.jpg").map(\.bodyBytesSent).reduce(0, +)
                #expect(sent >= Int(length - held.count))
                if segments == 1 { #expect(sent == Int(length - held.count)) }
            }
        }
    }

    @Test("restarts with the body at hand, in one stream, when the server sends all of it")
    func restarts() async throws {
        var held = SegmentMap()
        held.insert(Int64(20 * Self.mib)..<Int64(30 * Self.mib))
        let partial = [UInt8](repeating: 0xEE, count: 30 * Self.mib)
        let point = ResumePoint(offset: 0, total: length, validator: .entityTag("\"v0\""), held: held)
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            let running = try bench.fetch("/a.jpg", resume: point, partial: partial)
            try await checkWhole(running)
            #expect(running.start?.mode == .restarted(reason: "the file on the server has changed"))
            #expect(bench.origin.requests.count == 1)
        }
    }

    @Test("asks to begin anew when the partial is shorter than its map")
    func shortPartial() async throws {
        var held = SegmentMap()
        held.insert(Int64(20 * Self.mib)..<Int64(30 * Self.mib))
        let point = ResumePoint(offset: 0, total: length, validator: .entityTag("\"v1\""), held: held)
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            let running = try bench.fetch("/a.jpg", resume: point, partial: [1, 2, 3])
            #expect(await running.end?.isMustRestart == true)
        }
    }

    @Test("that is stopped has kept all that it told of, and goes on from there")
    func stops() async throws {
        try await TransferBench.run { bench in
            let file = file
            bench.origin.serve("/a.jpg") { file.answer(to: $0).paced(bytesPerSecond: 8 * Self.mib) }
            let running = try bench.fetch("/a.jpg")
            await running.progress(of: Int64(8 * Self.mib))
            running.stop()
            #expect(await running.end == .stopped)
            let map = try #require(running.kept)
            #expect(running.reports.contains(.progressed(bytes: map.count)))
            let partial = running.partial
            for range in map.ranges {
                let bounds = Int(range.lowerBound)..<Int(range.upperBound)
                let isSame = partial[bounds] == file.bytes[bounds]
                #expect(isSame)
            }
            bench.origin.serve("/a.jpg", file)
            let point = ResumePoint(
                offset: map.prefix,
                total: length,
                validator: .entityTag("\"v1\""),
                held: map
            )
            let next = try bench.fetch("/a.jpg", resume: point, partial: partial)
            #expect(await next.end == .completed(length: length, lengthProven: true))
            let isWhole = next.partial == file.bytes
            #expect(isWhole)
        }
    }

    @Test("keeps to the connections that a host may have, and gives one up for another transfer")
    func connections() async throws {
        try await TransferBench.run {
            $0.connectionsPerHost = 2
        } _: { bench in
            let (file, gate) = (file, OriginGate())
            bench.origin.serve("/a.jpg") { request in
                let answer = file.answer(to: request)
                return request.index < 2 ? answer.held(beforeByte: Self.mib, by: gate) : answer
            }
            let large = try bench.fetch("/a.jpg")
            await large.progress(of: Int64(2 * Self.mib))
            #expect(bench.origin.connectionCount == 2)
            bench.origin.serve("/b.jpg", OriginFile(seed: 2, count: 1000))
            let small = try bench.fetch("/b.jpg")
            #expect(await small.end == .completed(length: 1000, lengthProven: true))
            gate.open()
            try await checkWhole(large)
        }
    }
}
