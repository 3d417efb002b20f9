import JobCore

/// Forgets jobs that have ended, a slice of them in each turn.
struct Forgetting {
    private struct Sweep {
        var jobs: ArraySlice<JobID>
        var answer = ForgottenJobs()
        var reply: EngineInput.Reply<ForgottenJobs>
    }

    private let bench: Workbench
    private var sweeps: [Sweep] = []

    init(bench: Workbench) { self.bench = bench }

    /// Whether jobs are left to go through.
    var hasMore: Bool { !sweeps.isEmpty }

    /// Forgets these jobs, but none that is under way.
    mutating func forget(_ jobs: [JobID], reply: @escaping EngineInput.Reply<ForgottenJobs>) {
        sweeps.append(Sweep(jobs: jobs[...], reply: reply))
    }

    /// Handles the next slice of every list.
    mutating func takeSlices(isHidden: (JobID) -> Bool) throws(StoreFailure) {
        for index in sweeps.indices {
            let slice = sweeps[index].jobs.prefix(bench.configuration.sliceSize)
            sweeps[index].jobs = sweeps[index].jobs.dropFirst(slice.count)
            try bench.fetch(slice.filter { !bench.ledger.isForgotten($0) })
            for job in slice where !isHidden(job) {
                guard let live = try bench.live(job) else { continue }
                // One that this very turn accepts is in no row yet.
                if live.machine.isForgettable, !bench.ledger.isAccepting(live.job) {
                    bench.forget(live)
                    sweeps[index].answer.forgotten += 1
                } else {
                    sweeps[index].answer.kept += 1
                }
            }
            if sweeps[index].jobs.isEmpty { bench.answers.add(sweeps[index].reply, sweeps[index].answer) }
        }
        sweeps.removeAll { $0.jobs.isEmpty }
    }

    /// Tells all waiting callers that the engine is stopping.
    func abandon() { for sweep in sweeps { sweep.reply(.failure(.stopping)) } }
}
