import JobModel
import Vocabulary

/// Forgets jobs that have ended, a slice of them in each turn.
struct Forgetting {
    private struct Sweep {
        var jobs: ArraySlice<JobID>
        var answer = ForgottenJobs()
        var reply: EngineInput.Reply<ForgottenJobs>
    }

    private let bench: Workbench
    /// The lists that are gone through, in the order of their turns.
    private var sweeps: ArraySlice<Sweep> = []

    /// The cost of forgetting a job, in jobs accepted or steered: a row is removed, with its entries in all
    /// lists.
    static let cost = 4

    init(bench: Workbench) { self.bench = bench }

    /// The number of lists that aren't gone through yet.
    var count: Int { sweeps.count }

    /// Forgets these jobs, but none that is under way.
    mutating func forget(_ jobs: [JobID], reply: @escaping EngineInput.Reply<ForgottenJobs>) {
        sweeps.append(Sweep(jobs: jobs[...], reply: reply))
    }

    /// Handles the next slice of the list whose turn it is; returns false if there is none.
    mutating func takeSlice(
        _ budget: inout WorkBudget,
        isHidden: (JobID) -> Bool
    ) throws(StoreFailure) -> Bool {
        guard var sweep = sweeps.popFirst() else { return false }
        let slice = sweep.jobs.prefix(budget.grant(sweep.jobs.count, costing: Self.cost))
        sweep.jobs = sweep.jobs.dropFirst(slice.count)
        try bench.fetch(slice.filter { !bench.ledger.isForgotten($0) })
        for job in slice where !isHidden(job) {
            guard let live = try bench.live(job) else { continue }
            // A job accepted in this very turn has no row yet.
            if live.machine.isForgettable, !bench.ledger.isAccepting(live.job) {
                bench.forget(live)
                sweep.answer.forgotten += 1
            } else {
                sweep.answer.kept += 1
            }
        }
        if sweep.jobs.isEmpty { bench.answer(sweep.reply, sweep.answer) } else { sweeps.append(sweep) }
        return true
    }

    /// Tells all waiting callers that the engine is stopping.
    func abandon() { for sweep in sweeps { sweep.reply(.failure(.stopping)) } }
}
