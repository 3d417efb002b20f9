import CurlTransfer
import JobModel
import TestSupport
import Testing
import Vocabulary

/// Tests of files that come in one stream as long as that is fast enough.
@Suite("A file that isn't large", .timeLimit(.minutes(2)))
struct SlowFileTests {
    private static let mib = 1 << 20
    private static let file = OriginFile(seed: 42, count: 6 * mib)

    /// Serves the file at a path; the answer to its first request stops after a megabyte until a gate opens.
    private func serve(
        _ bench: TransferBench,
        _ path: String,
        until gate: OriginGate,
        after others: Int = .max
    ) {
        let file = Self.file
        bench.origin.serve(path) { request in
            if request.index == 0 { return file.answer(to: request).held(beforeByte: Self.mib, by: gate) }
            if request.index >= others { gate.open() }
            return file.answer(to: request)
        }
    }

    private func checkWhole(_ running: TransferBench.Running) async {
        #expect(await running.end == .completed(length: Int64(Self.file.bytes.count), lengthProven: true))
        let isSame = running.partial == Self.file.bytes
        #expect(isSame)
    }

    @Test("comes in several streams once the rest would take long", arguments: [false, true])
    func splits(isNoted: Bool) async throws {
        try await TransferBench.run(notesSegments: isNoted) { bench in
            serve(bench, "/a.jpg", until: OriginGate(), after: 3)
            let running = try bench.fetch("/a.jpg")
            await checkWhole(running)
            let requests = bench.origin.requests("/a.jpg")
            #expect(requests[0].header("Range") == nil)
            #expect(requests[1...].allSatisfy { $0.header("If-Range") == "\"v1\"" })
            #expect(requests.count >= 4)
            let sent = requests.map(\.bodyBytesSent).reduce(0, +)
            #expect(sent < Self.file.bytes.count + 4 * Self.mib, "little comes twice")
            #expect(running.kept == SegmentMap(prefix: Int64(Self.file.bytes.count)))
        }
    }

    @Test("goes on from what it had, and comes in several streams as well")
    func goesOn() async throws {
        try await TransferBench.run { bench in
            let gate = OriginGate()
            let file = Self.file
            bench.origin.serve("/a.jpg") { request in
                if request.index == 0 { return file.answer(to: request).held(beforeByte: 100_000, by: gate) }
                if request.index >= 2 { gate.open() }
                return file.answer(to: request)
            }
            let partial = Array(file.bytes.prefix(Self.mib))
            let point = ResumePoint(
                offset: Int64(Self.mib),
                total: Int64(file.bytes.count),
                validator: .entityTag("\"v1\"")
            )
            let running = try bench.fetch("/a.jpg", resume: point, partial: partial)
            await checkWhole(running)
            #expect(bench.origin.requests("/a.jpg").count >= 3)
        }
    }

    @Test("that is stopped in several streams goes on by its map")
    func stops() async throws {
        try await TransferBench.run { bench in
            let (first, others) = (OriginGate(), OriginGate())
            let file = Self.file
            bench.origin.serve("/a.jpg") { request in
                file.answer(to: request).held(
                    beforeByte: request.index == 0 ? Self.mib : 300_000,
                    by: request.index == 0 ? first : others
                )
            }
            let running = try bench.fetch("/a.jpg")
            await running.progress(of: Int64(Self.mib + 3 * 300_000))
            running.stop()
            #expect(await running.end == .stopped)
            let map = try #require(running.kept)
            #expect(map.ranges.count == 4)
            first.open()
            others.open()
            bench.origin.serve("/a.jpg", file)
            let point = ResumePoint(
                offset: map.prefix,
                total: Int64(file.bytes.count),
                validator: .entityTag("\"v1\""),
                held: map
            )
            let next = try bench.fetch("/a.jpg", resume: point, partial: running.partial)
            await checkWhole(next)
            #expect(next.start?.offset == map.count)
        }
    }

    /// Answers to a segment's request that are not the part that was asked for.
    enum Lie: CaseIterable, Sendable {
        case whole, otherStart, otherVersion, cutAtOnce, busy, garbage
    }

    @Test("survives a segment that is answered strangely", arguments: Lie.allCases)
    func lies(_ lie: Lie) async throws {
        try await TransferBench.run { bench in
            let (file, gate) = (Self.file, OriginGate())
            bench.origin.serve("/a.jpg") { request in
                let answer = file.answer(to: request)
                if request.index == 0 { return answer.held(beforeByte: Self.mib, by: gate) }
                gate.open()
                guard request.index == 1, let range = request.range else { return answer }
                switch lie {
                case .whole: return file.whole
                case .otherStart: return file.part(from: range.first - 5, to: range.last)
                case .otherVersion: return answer.header("ETag", "\"v2\"")
                case .cutAtOnce: return answer.cut(after: 0)
                case .busy: return OriginAnswer(503).header("Retry-After", "3")
                case .garbage: return .garbage(Array("no HTTP\r\n\r\n".utf8))
                }
            }
            let running = try bench.fetch("/a.jpg")
            if case .completed? = await running.end {
                await checkWhole(running)
            } else {
                // Where all others were through before, it ends with that, and the next attempt has its map.
                let map = try #require(running.kept)
                let point = ResumePoint(
                    offset: map.prefix,
                    total: Int64(file.bytes.count),
                    validator: .entityTag("\"v1\""),
                    held: map
                )
                await checkWhole(try bench.fetch("/a.jpg", resume: point, partial: running.partial))
            }
            let sent = bench.origin.requests("/a.jpg").map(\.bodyBytesSent).reduce(0, +)
            #expect(sent <= 3 * file.bytes.count, "nothing is fetched again and again")
        }
    }

    @Test("is not held up by streams that are never answered")
    func silence() async throws {
        try await TransferBench.run { bench in
            let (file, first, others) = (Self.file, OriginGate(), OriginGate())
            defer { others.open() }
            bench.origin.serve("/a.jpg") { request in
                let answer = file.answer(to: request)
                // The first one goes on when the last of the others has been asked for.
                if request.index == 3 { first.open() }
                return switch request.index {
                case 0: answer.held(beforeByte: Self.mib, by: first)
                case 1...3: answer.held(by: others)
                default: answer
                }
            }
            await checkWhole(try bench.fetch("/a.jpg"))
        }
    }

    @Test("that stalls with all its streams says nothing of how many its host serves")
    func outage() async throws {
        try await TransferBench.run { bench in
            let (file, first, others) = (Self.file, OriginGate(), OriginGate())
            bench.origin.serve("/a.jpg") { request in
                let answer = file.answer(to: request)
                return request.index == 0
                    ? answer.held(beforeByte: 1000, by: first).paced(bytesPerSecond: 500_000)
                    : answer.held(by: others)
            }
            let other = OriginFile(seed: 43, count: 1_000_000)
            bench.origin.serve("/other.jpg") { other.answer(to: $0).paced(bytesPerSecond: 1_000_000) }
            /// Waits for a second, as the transfer thread counts it.
            func pause() async throws {
                let clock = try bench.fetch("/other.jpg")
                #expect(await clock.end == .completed(length: 1_000_000, lengthProven: true))
            }

            let running = try bench.fetch("/a.jpg")
            var left = 4
            while left > 0 {
                try await pause()
                try #require(running.partial.count < 2000, "it stalls")
                try Task.checkCancellation()
                if bench.origin.requests("/a.jpg").count >= 4 { left -= 1 }
            }
            // One finds out sooner than the others that the line is there again.
            first.open()
            try await pause()
            others.open()
            await checkWhole(running)
            serve(bench, "/b.jpg", until: OriginGate(), after: 3)
            await checkWhole(try bench.fetch("/b.jpg"))
            #expect(bench.origin.requests("/b.jpg").count >= 4)
        }
    }

    /// The reasons for which a slow file stays in one stream.
    enum Reason: CaseIterable, Sendable {
        case setting, crowd, ownRate, pace, full, noValidator
    }

    @Test("stays in one stream where others would be of no use, or are too many", arguments: Reason.allCases)
    func stays(_ reason: Reason) async throws {
        try await TransferBench.run {
            switch reason {
            case .setting: $0.segments = 1
            case .pace:
                $0.hosts = HostRules(named: ["127.0.0.1": HostLimits(pace: Pace(requests: 1000, per: 1))])
            case .full: $0.connectionsPerHost = 2
            case .crowd, .ownRate, .noValidator: break
            }
        } _: { bench in
            let gate = OriginGate()
            // As many slow files as there may be segments, or connections.
            let count = reason == .crowd ? 4 : reason == .full ? 2 : 1
            let paths = (1...count).map { "/\($0).jpg" }
            for path in paths { serve(bench, path, until: gate) }
            var weak = Self.file
            weak.entityTag = "W/\"v1\""
            let served = weak
            if reason == .noValidator {
                bench.origin.serve("/1.jpg") { served.answer(to: $0).held(beforeByte: Self.mib, by: gate) }
            }
            let slow = try paths.map {
                try bench.fetch($0, rateLimit: reason == .ownRate ? 50_000_000 : nil)
            }
            // It takes two seconds, in which they would be split.
            let other = OriginFile(seed: 43, count: 2_000_000)
            bench.origin.serve("/other.jpg") { other.answer(to: $0).paced(bytesPerSecond: 1_000_000) }
            let clock = try bench.fetch("/other.jpg")
            #expect(await clock.end == .completed(length: 2_000_000, lengthProven: true))
            for path in paths { #expect(bench.origin.requests(path).count == 1) }
            gate.open()
            for running in slow { await checkWhole(running) }
        }
    }
}
