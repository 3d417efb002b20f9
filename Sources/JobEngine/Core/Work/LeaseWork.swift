import JobCore

/// Has the jobs of a batch pause when its lease lapses, and go on when it is renewed.
///
/// Jobs that haven't been gone through yet get no permit (``Workbench/step(_:_:now:)``): what is done here
/// stops what is under way, and shows people what it is about.
struct LeaseWork {
    private struct Sweep {
        var batch: BatchID
        /// The jobs still to be gone through, or nil before the batch's turn.
        var jobs: ArraySlice<JobID>?
    }

    private let bench: Workbench
    private var sweeps: [Sweep] = []

    /// Goes on with the batches that are stored, whose leases have all lapsed.
    init(bench: Workbench, after stored: StoredState) {
        self.bench = bench
        sweeps = stored.leases.map { Sweep(batch: $0.batch) }
    }

    /// Whether jobs are left to go through.
    var hasMore: Bool { !sweeps.isEmpty }

    /// When the next lease lapses; nil if none is running.
    var lapsesAt: Moment? { bench.leases.lapsesAt }

    /// Renews a batch's lease, or gives it up with 0 seconds.
    mutating func renew(
        _ batch: BatchID,
        seconds: Int?,
        now: Moment,
        reply: @escaping EngineInput.Reply<Void>
    ) {
        switch bench.leases.renew(batch, seconds: seconds, now: now) {
        case .noLease: return reply(.failure(.noLease(batch)))
        case .renewed: break
        case .revived, .givenUp: sweep(batch)
        }
        bench.answers.add(reply, ())
    }

    /// Ends the leases whose time is over.
    mutating func lapse(now: Moment) { for batch in bench.leases.lapse(now: now) { sweep(batch) } }

    /// Goes through a batch's jobs, from the first one again if that is under way.
    private mutating func sweep(_ batch: BatchID) {
        sweeps.removeAll { $0.batch == batch }
        sweeps.append(Sweep(batch: batch))
    }

    /// Handles the next slice of the first batch.
    mutating func takeSlice(now: Moment) throws(StoreFailure) {
        guard let sweep = sweeps.first else { return }
        let jobs = try jobs(of: sweep)
        let slice = jobs.prefix(bench.configuration.sliceSize)
        try bench.fetch(slice.filter { !bench.ledger.isForgotten($0) })
        let input: JobInput = bench.leases.isLapsed(sweep.batch) ? .hold : .release
        for job in slice { try bench.step(job, input, now: now) }
        sweeps[0].jobs = jobs.dropFirst(slice.count)
        if slice.count == jobs.count { sweeps.removeFirst() }
    }

    private func jobs(of sweep: Sweep) throws(StoreFailure) -> ArraySlice<JobID> {
        if let jobs = sweep.jobs { return jobs }
        return try bench.ports.store.jobIDs(unfinishedOf: sweep.batch)[...]
    }
}
