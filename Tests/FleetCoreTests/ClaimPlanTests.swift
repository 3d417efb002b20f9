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
        #expect(claim { $0.buckets = 1 } == .slice(jobs: 1000, perBucket: 1000))
        #expect(ClaimPlan(slice: 0).claim(.init(), at: now) == .slice(jobs: 1, perBucket: 1))
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
        var plan = plan
        let situation = ClaimPlan.Situation(buckets: 1)
        guard let all = plan.claim(situation, at: now) else {
            Issue.record("nothing is claimed")
            return
        }
        plan.claimed(3, of: all, at: now)
        #expect(plan.claim(situation, at: now + .milliseconds(999)) == nil)
        #expect(plan.claim(situation, at: now + .seconds(1)) != nil)
        plan.heard()
        #expect(plan.claim(situation, at: now) != nil)
    }

    @Test("A plan knows whether its node finds nothing more")
    func knows() {
        var plan = plan
        #expect(plan.isIdle)
        let slice = ClaimPlan.Claim.slice(jobs: 1000, perBucket: 2)
        plan.claimed(1000, of: slice, at: now)
        #expect(!plan.isIdle)
        plan.claimed(0, of: .topUp(jobs: 1000, perBucket: 2), at: now)
        #expect(!plan.isIdle)
        plan.claimed(1, of: slice, at: now)
        #expect(plan.isIdle)
        plan.heard()
        #expect(!plan.isIdle)
    }

    @Test("A node that is topped up holds two slices at most")
    func endsTopUps() {
        var plan = plan
        plan.claimed(1000, of: .slice(jobs: 1000, perBucket: 2), at: now)
        let situation = { ClaimPlan.Situation(held: $0, buckets: 512) }
        #expect(plan.claim(situation(2000), at: now + .seconds(9)) == .topUp(jobs: 1000, perBucket: 2))
        #expect(plan.claim(situation(2001), at: now + .seconds(9)) == nil)
    }

    @Test("Where few hosts have jobs, they give more, until slices are full or there is no more")
    func deepens() {
        var plan = plan
        let situation = ClaimPlan.Situation(buckets: 512)
        var asked: [Int] = []
        // Of 10 hosts with very many jobs each.
        while case .slice(let jobs, let perBucket)? = plan.claim(situation, at: now), asked.count < 20 {
            asked.append(perBucket)
            plan.claimed(min(jobs, perBucket * 10), of: .slice(jobs: jobs, perBucket: perBucket), at: now)
            if perBucket * 10 >= jobs { break }
        }
        #expect(asked == [2, 4, 8, 16, 32, 64, 128])
        #expect(plan.claim(situation, at: now) == .slice(jobs: 1000, perBucket: 64))
        // Fewer than one of them could have given: there is no more.
        plan.claimed(63, of: .slice(jobs: 1000, perBucket: 64), at: now)
        #expect(plan.claim(situation, at: now) == nil)
        #expect(plan.claim(situation, at: now + .seconds(1)) == .slice(jobs: 1000, perBucket: 2))
    }

    @Test("A node that finds nothing claims once a second, however many buckets it has")
    func idle() {
        for buckets in [1, 2, 64, 512, 1024] {
            var plan = plan
            var claims = 0
            for tick in 0..<100 {
                let now = now + .milliseconds(tick * 100)
                guard let claim = plan.claim(.init(buckets: buckets), at: now) else { continue }
                plan.claimed(0, of: claim, at: now)
                claims += 1
            }
            #expect(claims == 10, "\(buckets) buckets")
        }
    }

    @Test("Slow hosts that fill half a slice don't keep others waiting; what waits doesn't count")
    func slow() {
        var plan = plan
        let situation = ClaimPlan.Situation(held: 700, buckets: 512)
        plan.claimed(1000, of: .slice(jobs: 1000, perBucket: 2), at: now)
        #expect(plan.claim(situation, at: now + .milliseconds(1999)) == nil)
        let topUp = ClaimPlan.Claim.topUp(jobs: 1000, perBucket: 2)
        #expect(plan.claim(situation, at: now + .seconds(2)) == topUp)
        plan.claimed(0, of: topUp, at: now + .seconds(2))
        #expect(plan.claim(situation, at: now + .seconds(3)) == nil)
        #expect(plan.claim(situation, at: now + .seconds(4)) == topUp)
        // It says nothing of how deep slices go, nor that the queue is empty.
        #expect(plan.claim(.init(buckets: 512), at: now + .seconds(2)) == .slice(jobs: 1000, perBucket: 2))
        #expect(claim { ($0.held, $0.waiting) = (0, 10_000) } == .slice(jobs: 1000, perBucket: 2))
        #expect(claim { ($0.held, $0.waiting) = (0, 10_501) } == nil)
    }

    @Test(
        "A group of suspects goes beside other work, one at a time; what goes alone waits for all that is held"
    )
    func suspects() {
        #expect(claim { ($0.suspects, $0.held) = ([3], 900) } == .suspects(blame: 3, jobs: 100))
        #expect(claim { ($0.suspects, $0.held) = ([3, 4], 1) } == .suspects(blame: 4, jobs: 10))
        #expect(claim { ($0.suspects, $0.holdsGroup) = ([3, 4], true) } == .slice(jobs: 1000, perBucket: 2))
        #expect(ClaimPlan(slice: 20).claim(.init(suspects: [3]), at: now) == .suspects(blame: 3, jobs: 20))
        #expect(claim { ($0.suspects, $0.held) = ([3, 5], 900) } == .suspects(blame: 5, jobs: 1))
        #expect(claim { ($0.suspects, $0.held) = ([3, 6], 0) } == .suspects(blame: 6, jobs: 1))
        #expect(claim { ($0.suspects, $0.held) = ([3, 6], 1) } == nil)
        #expect(claim { ($0.suspects, $0.waiting) = ([6], 1) } == .suspects(blame: 6, jobs: 1))
        #expect(claim { ($0.holdsAlone, $0.held) = (true, 1) } == nil)
    }

    /// Returns for how many seconds a node works on so many jobs, 24 at once of 0.2 s each, if it does first what it
    /// has had for longest.
    private func seconds(of jobs: Int, suspects: Int, blame: Int) -> Duration {
        var plan = ClaimPlan(slice: 1000)
        var (queued, suspected, now) = (jobs - suspects, suspects, Duration.zero)
        var held: ArraySlice<Bool> = []
        var running: [(isSuspect: Bool, end: Duration)] = []
        var doubted = 0
        while queued > 0 || suspected > 0 || !held.isEmpty || !running.isEmpty, now < .seconds(1000) {
            doubted -= running.count(where: { $0.isSuspect && $0.end <= now })
            running.removeAll { $0.end <= now }
            while running.count < 24, let next = held.popFirst() {
                running.append((next, now + .milliseconds(200)))
            }
            let doubtful = doubted > 0
            let isAlone = Poison(blame: blame) == .alone
            let situation = ClaimPlan.Situation(
                held: held.count + running.count,
                holdsAlone: doubtful && isAlone,
                holdsGroup: doubtful && !isAlone,
                suspects: suspected > 0 ? [blame] : [],
                buckets: 1
            )
            if let claim = plan.claim(situation, at: now) {
                switch claim {
                case .suspects(_, let most):
                    let count = min(most, suspected)
                    suspected -= count
                    doubted += count
                    held += Array(repeating: true, count: count)
                    plan.claimed(count, of: claim, at: now)
                case .slice(let most, _), .topUp(let most, _):
                    let count = min(most, queued)
                    queued -= count
                    held += Array(repeating: false, count: count)
                    plan.claimed(count, of: claim, at: now)
                }
            }
            now += .milliseconds(100)
        }
        return now
    }

    @Test("Twenty suspects among two thousand jobs cost a few seconds, however much they are blamed")
    func cost() {
        let usual = seconds(of: 2000, suspects: 0, blame: 0)
        for blame in Poison.suspectFrom..<Poison.provenFrom {
            let time = seconds(of: 2000, suspects: 20, blame: blame)
            #expect(time - usual < .seconds(10), "blame \(blame): \(time) instead of \(usual)")
        }
        // A slice that was lost as a whole, three times.
        #expect(seconds(of: 2000, suspects: 1000, blame: 3) - usual < .seconds(20))
    }
}
