import FleetCore
import Testing

@Suite("When a node claims, and how much")
struct ClaimPlanTests {
    private let plan = ClaimPlan(slice: 1000)
    private let now = Duration.seconds(100)

    private func claim(_ change: (inout ClaimPlan.Situation) -> Void) -> ClaimPlan.Claim? {
        var situation = ClaimPlan.Situation(buckets: 512)
        change(&situation)
        return plan.claim(situation, at: now)
    }

    @Test("A slice when the last is half empty, with no more from one bucket than lets all have their turn")
    func slices() {
        #expect(claim { _ in } == .slice(jobs: 1000, perBucket: 2))
        #expect(claim { $0.held = 500 } == .slice(jobs: 1000, perBucket: 2))
        #expect(claim { $0.held = 501 } == nil)
        #expect(claim { $0.buckets = 1 } == .slice(jobs: 1000, perBucket: 1001))
        #expect(ClaimPlan(slice: 0).claim(.init(), at: now) == .slice(jobs: 1, perBucket: 2))
    }

    @Test("Nothing without a lease, without buckets, or when the node stops")
    func nothing() {
        for standing in [NodeLease.Standing.pauses, .stopped] {
            #expect(claim { $0.standing = standing } == nil)
        }
        #expect(claim { $0.buckets = 0 } == nil && claim { $0.isClosed = true } == nil)
    }

    @Test("An empty queue is asked once a second")
    func empty() {
        #expect(claim { $0.emptyAt = now - .milliseconds(999) } == nil)
        #expect(claim { $0.emptyAt = now - .seconds(1) } != nil)
    }

    @Test("What may be poison goes alone: after all that is held, and before anything else")
    func alone() {
        #expect(claim { ($0.suspectsWait, $0.held) = (true, 0) } == .suspect)
        #expect(claim { ($0.suspectsWait, $0.held) = (true, 1) } == nil)
        #expect(claim { ($0.holdsSuspect, $0.held) = (true, 1) } == nil)
        #expect(claim { ($0.suspectsWait, $0.emptyAt) = (true, now) } == .suspect)
        #expect((0...6).map(Poison.init) == [.none, .none, .none, .suspect, .suspect, .proven, .proven])
    }
}
