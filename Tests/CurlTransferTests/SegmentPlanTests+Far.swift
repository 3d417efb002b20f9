import JobModel
import Testing

@testable import CurlTransfer

/// Tests of plans for servers that are far away or slow, and of lengths that nobody would believe.
extension SegmentPlanTests {
    @Test("Far from a server each stream has a share at once, and a rest isn't taken in vain")
    func far() {
        var plan = SegmentPlan(total: 200 * Self.mib, held: SegmentMap(), limit: 4, timeToAnswer: 150)
        let first = plan.join(at: 0, reach: 200 * Self.mib)
        let others = (0..<3).map { _ in plan.next() ?? 0 }
        #expect(rests(plan, [first] + others) == [0..<64, 64..<109, 109..<154, 154..<200])
        for (stream, left) in zip([first] + others, [0, 10, 12, 4] as [Int64]) {
            plan.received(stream, Int64(plan.rest(of: stream).count) - left * Self.mib)
        }
        plan.end(first)
        let left = [10, 12, 4].map { Int($0 * Self.mib) }
        #expect(others.map { plan.rest(of: $0).count } == left)
        // It brings two thirds of a MiB in the time of an answer, and would be through in 18 of them.
        func rate(_ stream: Int) -> Double? { Double(2 * Self.mib) / 3 / 150 }
        let unconnected = plan.next(rate: rate)
        #expect(unconnected == nil, "its connection and slow start would take six, and what is lost eight")
        let half = plan.next(isConnected: true, rate: rate) ?? 0
        #expect((5 * Self.mib...6 * Self.mib).contains(Int64(plan.rest(of: half).count)))
        #expect(plan.rest(of: others[1]).upperBound == plan.rest(of: half).lowerBound)
        plan.end(half)
        // Bytes alone don't count: the one with fewest is the slowest.
        let slow = plan.next { $0 == others[2] ? 1 : rate($0) } ?? 0
        #expect(others.prefix(2).map { plan.rest(of: $0).count } == Array(left.prefix(2)))
        #expect(plan.rest(of: slow).upperBound == 200 * Self.mib)
    }

    @Test("Whatever a server says of lengths and times is borne", arguments: [0, 150, .max, .min] as [Int64])
    func nonsense(timeToAnswer: Int64) {
        for total in [1, .max - 1, .max] as [Int64] {
            var plan = SegmentPlan(total: total, held: SegmentMap(), limit: 4, timeToAnswer: timeToAnswer)
            let first = plan.join(at: 0, reach: total)
            while plan.next(rate: { _ in 1e12 }) != nil {}
            plan.received(first, 1)
            plan.end(first)
            #expect(plan.streamCount < 4)
        }
    }

    @Test("A file that isn't large is halved, so that all of it is assigned at once")
    func short() {
        var plan = plan(24, limit: 2)
        let first = plan.join(at: 0, reach: 24 * Self.mib)
        let second = plan.next() ?? 0
        #expect(rests(plan, [first, second]) == [0..<12, 12..<24])
    }

    @Test("Once an answer comes quickly, a rest is taken again, however long the first one took")
    func quicker() {
        var plan = SegmentPlan(total: 80 * Self.mib, held: SegmentMap(), limit: 2, timeToAnswer: 1000)
        let first = plan.join(at: 0, reach: 80 * Self.mib)
        let second = plan.next() ?? 0
        plan.received(second, Int64(plan.rest(of: second).count))
        plan.end(second)
        plan.received(first, 18 * Self.mib)
        func rate(_ stream: Int) -> Double? { 5000 }
        let unknown = plan.next(isConnected: true, rate: rate)
        #expect(unknown == nil)
        plan.answered(first, reach: 80 * Self.mib, after: 0)
        let unchanged = plan.next(isConnected: true, rate: rate)
        #expect(unchanged == nil)
        plan.answered(first, reach: 80 * Self.mib, after: 20)
        let third = plan.next(isConnected: true, rate: rate)
        #expect(third != nil)
    }
}
