import JobCore
import TestSupport
import Testing

struct SegmentPlanTests {
    private static let mib: Int64 = 1 << 20

    private func plan(_ mebibytes: Int64 = 64, held: Int64 = 0, limit: Int = 4) -> SegmentPlan {
        SegmentPlan(total: mebibytes * Self.mib, held: SegmentMap(prefix: held * Self.mib), limit: limit)
    }

    private func rests(_ plan: SegmentPlan, _ streams: [Int]) -> [Range<Int64>] {
        streams.map { plan.rest(of: $0) }.map { $0.lowerBound / Self.mib..<$0.upperBound / Self.mib }
    }

    @Test("A file that arrives in one stream is split into quarters")
    func quarters() throws {
        var plan = plan()
        let first = plan.join(at: 0, reach: 64 * Self.mib)
        var streams = [first]
        while let stream = plan.next() { streams.append(stream) }
        #expect(rests(plan, streams) == [0..<16, 32..<48, 16..<32, 48..<64])
        #expect(plan.next() == nil, "four are enough")
    }

    @Test("What one stream has begun with is not split off")
    func splitsTheRest() {
        var plan = plan()
        let first = plan.join(at: 0, reach: 64 * Self.mib)
        plan.received(first, 32 * Self.mib)
        let second = plan.next()
        #expect(rests(plan, [first, second ?? 0]) == [32..<48, 48..<64])
    }

    @Test("A stream that is through takes half of what the busiest has left")
    func steals() {
        var plan = plan(limit: 2)
        let first = plan.join(at: 0, reach: 64 * Self.mib)
        let second = plan.next() ?? 0
        plan.received(second, 32 * Self.mib)
        #expect(plan.rest(of: second).isEmpty)
        plan.end(second)
        let third = plan.next() ?? 0
        #expect(rests(plan, [first, third]) == [0..<16, 16..<32])
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

    @Test("The holes of a map are filled, the largest first")
    func holes() {
        var held = SegmentMap()
        held.insert(0..<10 * Self.mib)
        held.insert(20 * Self.mib..<30 * Self.mib)
        var plan = SegmentPlan(total: 60 * Self.mib, held: held, limit: 2)
        let streams = [plan.next() ?? 0, plan.next() ?? 0]
        #expect(rests(plan, streams) == [30..<60, 10..<20])
        plan.received(streams[0], 30 * Self.mib)
        plan.received(streams[1], 10 * Self.mib)
        #expect(plan.isComplete)
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
        plan.received(first, 32 * Self.mib)
        #expect(plan.hasEnough(first), "its response goes on into what is held")
        plan.end(first)
        let third = plan.next() ?? 0
        #expect(plan.rest(of: third) == 32 * Self.mib + 1..<64 * Self.mib)
        plan.received(third, 32 * Self.mib - 1)
        #expect(plan.isComplete)
        #expect(!plan.hasEnough(third), "its response ends by itself")
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
