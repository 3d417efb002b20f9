import Testing

@testable import JobEngine

/// Tests of what a turn does for those who ask for much.
struct WorkBudgetTests {
    @Test("Who is alone gets all of it, and others share it in quarters")
    func shares() {
        for (requests, share) in [(0, 2000), (1, 2000), (2, 1000), (3, 666), (4, 500), (5, 500), (1000, 500)]
        {
            let budget = WorkBudget(jobs: 2000, sharedBy: requests)
            #expect(budget.share == share && budget.left == 2000 && budget.isShared == (requests > 1))
        }
        #expect(WorkBudget(jobs: 2000, sharedBy: 3, isAwaited: true).left == 250)
        #expect(WorkBudget(jobs: 1, sharedBy: 9, isAwaited: true).share == 1, "it never comes to a stop")
    }

    @Test("However many ask, and for how much, no more is handled than there is", arguments: [1, 4])
    func bounded(cost: Int) {
        for (jobs, requests, wanted) in [(2000, 100, 5000), (7, 100, 3), (2000, 3, 1), (1, 50, 50)] {
            var budget = WorkBudget(jobs: jobs, sharedBy: requests)
            var handled = 0
            while !budget.isSpent {
                let count = budget.grant(wanted, costing: cost)
                #expect(count >= 1 && count <= max(1, budget.share))
                handled += count
            }
            #expect(handled <= max(1, (jobs + cost - 1) / cost) && handled >= jobs / cost)
        }
    }

    @Test("A request for nothing costs something, and what costs more than is left is the last of its turn")
    func least() {
        var budget = WorkBudget(jobs: 10, sharedBy: 2)
        #expect(budget.grant(0) == 0 && budget.left == 9)
        budget.spend(100)
        #expect(budget.isSpent && budget.rest(of: 10) == 1 && budget.rest(of: 2000) == 250)
        #expect(WorkBudget(jobs: 10, sharedBy: 0).rest(of: 10) == 10)
    }
}
