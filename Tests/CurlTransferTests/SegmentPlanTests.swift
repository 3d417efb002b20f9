import JobModel
import TestSupport
import Testing

@testable import CurlTransfer

struct SegmentPlanTests {
    static let mib: Int64 = 1 << 20

    func plan(_ mebibytes: Int64 = 64, held: Int64 = 0, limit: Int = 4) -> SegmentPlan {
        SegmentPlan(total: mebibytes * Self.mib, held: SegmentMap(prefix: held * Self.mib), limit: limit)
    }

    func rests(_ plan: SegmentPlan, _ streams: [Int]) -> [Range<Int64>] {
        streams.map { plan.rest(of: $0) }.map { $0.lowerBound / Self.mib..<$0.upperBound / Self.mib }
    }

    @Test("A file that arrives in one stream is cut into pieces from where that is")
    func pieces() throws {
        var plan = plan(held: 4)
        let first = plan.join(at: 4 * Self.mib, reach: 64 * Self.mib)
        var streams = [first]
        while let stream = plan.next() { streams.append(stream) }
        #expect(rests(plan, streams) == [4..<12, 12..<20, 20..<28, 28..<36])
        #expect(plan.next() == nil, "four are enough")
    }

    @Test("A stream that is through gets the next piece")
    func nextPiece() {
        var plan = plan(limit: 2)
        let first = plan.join(at: 0, reach: 64 * Self.mib)
        let second = plan.next() ?? 0
        #expect(rests(plan, [first, second]) == [0..<16, 16..<28])
        plan.received(second, 12 * Self.mib)
        plan.end(second)
        let third = plan.next() ?? 0
        #expect(rests(plan, [first, third]) == [0..<16, 28..<37])
    }

    @Test("A stream that is through when nothing is open takes half of what the busiest has left")
    func steals() {
        var plan = plan(16, limit: 2)
        let first = plan.join(at: 0, reach: 16 * Self.mib)
        let second = plan.next() ?? 0
        #expect(rests(plan, [first, second]) == [0..<8, 8..<16])
        plan.received(second, 8 * Self.mib)
        plan.end(second)
        let third = plan.next() ?? 0
        #expect(rests(plan, [first, third]) == [0..<4, 4..<8])
    }

    @Test(
        "Less than a megabyte each is worth taking only off a stream that has become slow, and not the last bytes"
    )
    func slow() {
        var plan = plan(2, limit: 2)
        let first = plan.join(at: 0, reach: 2 * Self.mib)
        plan.received(first, Self.mib)
        #expect(plan.hasRoom && plan.offsets == [first: Self.mib])
        let unasked = plan.next()
        #expect(unasked == nil)
        let fast = plan.next { _ in 10_000 }
        #expect(fast == nil)
        var asked: [Int] = []
        let taken =
            plan.next {
                asked.append($0); return 10
            } ?? 0
        #expect(asked == [first] && !plan.hasRoom)
        #expect(plan.rest(of: first) == Self.mib..<Self.mib * 3 / 2)
        #expect(plan.rest(of: taken) == Self.mib * 3 / 2..<Self.mib * 2)
        plan.received(taken, Self.mib / 2)
        plan.end(taken)
        plan.received(first, Self.mib / 2 - 2 * SegmentPlan.shortestHalf + 1)
        let last = plan.next { _ in 0 }
        #expect(last == nil)
    }

    @Test("The speed of a stream is what it has had of late")
    func speeds() {
        var speeds = StreamSpeeds()
        var looks = [speeds.look(at: [1: 0, 2: 0], now: 1000)]
        #expect(speeds.rate(of: 1) == nil, "nobody knows yet")
        looks.append(speeds.look(at: [1: 10, 2: 0], now: 1199))
        looks.append(speeds.look(at: [1: 200_000, 2: 0, 3: 5], now: 1200))
        #expect(looks == [true, false, true])
        #expect(speeds.rate(of: 1) == 1000 && speeds.rate(of: 2) == 0)
        #expect(speeds.rate(of: 3) == nil && speeds.rate(of: 4) == nil)
        _ = speeds.look(at: [1: 200_010], now: 1400)
        #expect(speeds.rate(of: 1) == 0.05, "it was fast once")
    }

    @Test("Pieces of a larger file are longer, and shrink towards its end to what is soon hashed")
    func shrink() {
        var plan = plan(1024)
        var lengths: [Int64] = []
        while let stream = plan.next() {
            let rest = plan.rest(of: stream)
            lengths.append(rest.upperBound - rest.lowerBound)
            plan.received(stream, rest.upperBound - rest.lowerBound)
            plan.end(stream)
        }
        #expect(lengths.first == SegmentPlan.longestPiece)
        #expect(zip(lengths, lengths.dropFirst().dropLast()).allSatisfy { $0 >= $1 })
        #expect(lengths.suffix(5).allSatisfy { $0 < SegmentPlan.shortestPiece + SegmentPlan.minimumLength })
        #expect(lengths.count < 40, "each costs a round trip")
    }

    @Test("Little is out of order while a file comes, and less at its end", arguments: [2, 4, 8])
    func order(limit: Int) {
        var generator = SeededGenerator(seed: 7)
        var plan = plan(1024, held: 5, limit: limit)
        var streams = [plan.join(at: 5 * Self.mib, reach: plan.total)]
        var (requests, ranges, strays, straysAtEnd) = (1, 0, Int64(0), Int64(0))
        while !plan.isComplete {
            while let stream = plan.next() {
                streams.append(stream)
                requests += 1
            }
            // All of about the same speed.
            for stream in streams {
                plan.received(stream, Int64.random(in: 80_000...120_000, using: &generator))
            }
            let stray = plan.held.count - plan.held.prefix
            strays = max(strays, stray)
            if plan.total - plan.held.count < Self.mib { straysAtEnd = max(straysAtEnd, stray) }
            ranges = max(ranges, plan.held.ranges.count)
            for stream in streams where plan.rest(of: stream).isEmpty { plan.end(stream) }
            streams.removeAll { plan.rest(of: $0).isEmpty }
        }
        let others = Int64(limit - 1)
        #expect(strays <= others * (SegmentPlan.longestPiece + Self.mib))
        #expect(straysAtEnd <= others * (SegmentPlan.shortestPiece + Self.mib))
        #expect(ranges <= limit + 1, "the map stays small")
        #expect(requests < 40 * limit)
    }

    @Test("A rest too small to be worth two requests is left to its stream")
    func minimum() {
        var plan = plan(2)
        let first = plan.join(at: 0, reach: 2 * Self.mib)
        plan.received(first, 1)
        #expect(plan.next() == nil)
    }

    @Test("Only a stream that is slower than a Gigabit line gets others beside it")
    func worthSplitting() {
        let plan = plan()
        #expect(plan.isWorthSplitting(after: 2_000_000, in: 100))
        #expect(plan.isWorthSplitting(after: 0, in: 100))
        #expect(!plan.isWorthSplitting(after: 10_000_000, in: 100))
        #expect(!self.plan(limit: 1).isWorthSplitting(after: 0, in: 100))
        #expect(!self.plan(held: 63).isWorthSplitting(after: 0, in: 100), "it is as good as there")
    }

    @Test("The holes of a map are filled, the first of them first")
    func holes() {
        var held = SegmentMap()
        held.insert(0..<10 * Self.mib)
        held.insert(20 * Self.mib..<30 * Self.mib)
        var plan = SegmentPlan(total: 60 * Self.mib, held: held, limit: 2)
        let streams = [plan.next() ?? 0, plan.next() ?? 0]
        #expect(rests(plan, streams) == [10..<20, 30..<38])
        plan.received(streams[0], 10 * Self.mib)
        plan.end(streams[0])
        let next = plan.next() ?? 0
        #expect(rests(plan, [next]) == [38..<46])
    }

    @Test("What a refused stream leaves falls to its left neighbour, so that one stream brings all")
    func refused() {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            var plan = plan()
            let first = plan.join(at: 0, reach: 64 * Self.mib)
            var others: [Int] = []
            while let stream = plan.next() { others.append(stream) }
            plan.received(first, Self.mib)
            for index in order {
                plan.fallBack()
                plan.end(others[index])
            }
            #expect(rests(plan, [first]) == [1..<64], "\(order)")
            #expect(plan.next() == nil)
        }
    }

    @Test("Every hole is found by one stream after another, once there is only one")
    func oneStream() {
        var plan = plan()
        let first = plan.join(at: 0, reach: 64 * Self.mib)
        let second = plan.next() ?? 0
        plan.received(second, 1)
        plan.fallBack()
        plan.end(second)
        plan.received(first, 8 * Self.mib)
        #expect(plan.hasEnough(first), "its response goes on into what is held")
        plan.end(first)
        let third = plan.next() ?? 0
        #expect(plan.rest(of: third) == 8 * Self.mib + 1..<64 * Self.mib)
        plan.received(third, 56 * Self.mib - 1)
        #expect(plan.isComplete)
        #expect(!plan.hasEnough(third), "its response ends by itself")
    }

    @Test("A file whose link expires is asked for at once, in as many parts as there are streams")
    func expiring() {
        var plan = SegmentPlan(total: 4096 * Self.mib, held: SegmentMap(), limit: 4, expires: true)
        let first = plan.join(at: 0, reach: 4096 * Self.mib)
        var streams = [first]
        while let stream = plan.next() { streams.append(stream) }
        #expect(
            rests(plan, streams.sorted { plan.rest(of: $0).lowerBound < plan.rest(of: $1).lowerBound })
                == [0..<1024, 1024..<2048, 2048..<3072, 3072..<4096]
        )
    }

    @Test("What a shorter part doesn't bring is open again")
    func shortPart() {
        var plan = plan(limit: 1)
        let first = plan.next() ?? 0
        plan.answered(first, reach: 10 * Self.mib)
        plan.received(first, 10 * Self.mib)
        #expect(plan.rest(of: first).isEmpty)
        plan.end(first)
        let second = plan.next() ?? 0
        #expect(rests(plan, [second]) == [10..<64])
    }

    @Test("No walk counts a byte twice, gives it to two streams or loses it", arguments: 1...200)
    func walk(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let total = Int64.random(in: 1...200 * Self.mib, using: &generator)
        var held = SegmentMap()
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let lower = Int64.random(in: 0..<total, using: &generator)
            held.insert(lower..<min(total, lower + 9 * Self.mib))
        }
        var plan = SegmentPlan(total: total, held: held, limit: Int.random(in: 1...6, using: &generator))
        var streams: Set<Int> = []
        if let hole = held.holes(to: total).first, Bool.random(using: &generator) {
            streams.insert(plan.join(at: hole.lowerBound, reach: total))
        }
        var rounds = 0
        while !plan.isComplete, rounds < 5000 {
            rounds += 1
            let missing = total - plan.held.count
            let stream = streams.sorted().randomElement(using: &generator)
            switch Int.random(in: 0..<12, using: &generator) {
            case 0..<3:
                if let stream = plan.next() {
                    #expect(!plan.rest(of: stream).isEmpty)
                    streams.insert(stream)
                } else {
                    #expect(!streams.isEmpty, "there is always somebody at work")
                }
            case 3:
                guard let stream else { continue }
                plan.end(stream)
                streams.remove(stream)
            case 4:
                guard let stream else { continue }
                let rest = plan.rest(of: stream)
                plan.answered(
                    stream,
                    reach: Int64.random(in: rest.lowerBound...rest.upperBound, using: &generator)
                )
            case 5 where rounds % 50 == 0: plan.reduce()
            default:
                guard let stream else { continue }
                let rest = plan.rest(of: stream)
                let count = Int64.random(
                    in: 0...min(rest.upperBound - rest.lowerBound, 9 * Self.mib),
                    using: &generator
                )
                plan.received(stream, count)
                #expect(plan.held.count == total - missing + count, "each byte is new")
                if plan.rest(of: stream).isEmpty {
                    plan.end(stream)
                    streams.remove(stream)
                }
            }
            check(plan, streams, total)
        }
        #expect(plan.isComplete)
    }

    private func check(_ plan: SegmentPlan, _ streams: Set<Int>, _ total: Int64) {
        var taken = plan.held
        for stream in streams {
            let rest = plan.rest(of: stream)
            let before = taken.count
            taken.insert(rest)
            #expect(taken.count == before + rest.upperBound - rest.lowerBound, "nobody else has it")
        }
        #expect(taken.end <= total)
        #expect(plan.streamCount == streams.count)
    }
}
