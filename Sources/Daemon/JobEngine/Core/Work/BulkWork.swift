import JobModel

/// The work for requests that may be about very many jobs, of which each turn of the engine handles some.
///
/// A turn has one budget for all of it. The kinds of work take turns, and so do the requests of each kind: nobody
/// waits for another's request to be over, and nobody who asks for little waits long, however many ask for much.
struct BulkWork {
    private enum Kind: CaseIterable {
        case intake, steering, forgetting, leases
    }

    private let bench: Workbench
    /// Accepts batches.
    var intake: BatchIntake
    /// Steers jobs.
    var steering: SteeringWork
    /// Forgets jobs.
    var forgetting: Forgetting
    /// Goes through the jobs of batches whose leases lapse or run again.
    var leases: LeaseWork
    /// The kind of work whose turn it is next.
    private var next = 0

    /// Goes on with what the store has.
    init(bench: Workbench, after stored: StoredState) {
        self.bench = bench
        intake = BatchIntake(bench: bench, after: stored)
        steering = SteeringWork(bench: bench)
        forgetting = Forgetting(bench: bench)
        leases = LeaseWork(bench: bench, after: stored)
    }

    /// The number of requests that aren't carried out yet.
    var count: Int { intake.count + steering.count + forgetting.count + leases.count }

    /// Begins a turn, before anything that has arrived is looked at.
    mutating func beginTurn(now: Moment) {
        steering.beginTurn()
        leases.beginTurn(now: now)
    }

    /// Handles some jobs of those who have asked; returns what is left of the turn's budget.
    mutating func takeSlices(now: Moment) throws(StoreFailure) -> WorkBudget {
        var budget = WorkBudget(
            jobs: bench.configuration.sliceSize,
            sharedBy: count,
            isAwaited: !bench.answers.isEmpty
        )
        var idle = 0
        while !budget.isSpent, idle < Kind.allCases.count {
            let kind = Kind.allCases[next]
            next = (next + 1) % Kind.allCases.count
            idle = try takeSlice(of: kind, &budget, now: now) ? 0 : idle + 1
        }
        return budget
    }

    private mutating func takeSlice(
        of kind: Kind,
        _ budget: inout WorkBudget,
        now: Moment
    ) throws(StoreFailure) -> Bool {
        switch kind {
        case .intake: return intake.takeSlice(&budget, now: now)
        case .steering: return try steering.takeSlice(&budget, now: now, isHidden: intake.isHidden)
        case .forgetting: return try forgetting.takeSlice(&budget, isHidden: intake.isHidden)
        case .leases: return try leases.takeSlice(&budget, now: now)
        }
    }

    /// Tells all waiting callers that the engine is stopping.
    func abandon() {
        intake.abandon()
        steering.abandon()
        forgetting.abandon()
    }
}
