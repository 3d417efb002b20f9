import JobCore
import JobModel
import Vocabulary

/// Pauses the jobs of a batch when its lease lapses, and resumes them when it is renewed.
///
/// Jobs that haven't been gone through yet get no permit (``Workbench/step(_:_:now:)``): what is done here
/// stops what is under way, and shows people what it is about.
struct LeaseWork {
    private let bench: Workbench
    /// The batches to go through, in the order of their turns.
    private var line: ArraySlice<BatchID>
    /// The batches that are in line.
    private var waiting: Set<BatchID>
    /// The batches whose turn it is: what was done to their jobs isn't in the store yet.
    private var asked: [BatchID] = []
    /// The jobs still to be gone through, of batches that have had a turn.
    private var jobs: [BatchID: ArraySlice<JobID>] = [:]

    /// The cost of finding out a batch's jobs, in jobs.
    private static let cost = 5

    /// Goes on with the batches that are stored, whose leases have all lapsed.
    init(bench: Workbench, after stored: StoredState) {
        self.bench = bench
        line = stored.leases.map(\.batch)[...]
        waiting = Set(line)
    }

    /// The number of batches that are to be gone through.
    var count: Int { line.count + asked.count }

    /// Renews a batch's lease, or gives it up with 0 seconds.
    mutating func renew(
        _ batch: BatchID,
        seconds: Int?,
        now: Moment,
        reply: @escaping EngineInput.Reply<Void>
    ) throws(StoreFailure) {
        try bench.learnLease(of: batch)
        switch bench.leases.renew(batch, seconds: seconds, now: now) {
        case .noLease: return reply(.failure(.noLease(batch)))
        case .renewed: break
        case .revived, .givenUp: sweep(batch)
        }
        bench.answer(reply, ())
    }

    /// Begins a turn: ends the leases whose time is over.
    mutating func beginTurn(now: Moment) {
        line += asked
        asked = []
        for batch in bench.leases.lapse(now: now) { sweep(batch) }
    }

    /// Goes through a batch's jobs, from the first one again if that is under way.
    private mutating func sweep(_ batch: BatchID) {
        jobs[batch] = nil
        if waiting.insert(batch).inserted { asked.append(batch) }
    }

    /// Handles the next slice of the batch whose turn it is; returns false if there is none.
    mutating func takeSlice(_ budget: inout WorkBudget, now: Moment) throws(StoreFailure) -> Bool {
        guard let batch = line.popFirst() else { return false }
        let left: ArraySlice<JobID>
        if let begun = jobs.removeValue(forKey: batch) {
            left = begun
        } else {
            left = try listed(batch, &budget)
        }
        let slice = left.prefix(budget.grant(left.count))
        try bench.fetch(slice.filter { !bench.ledger.isForgotten($0) })
        let input: JobInput = bench.leases.isLapsed(batch) ? .hold : .release
        for job in slice { try bench.step(job, input, now: now) }
        if slice.count == left.count {
            waiting.remove(batch)
        } else {
            jobs[batch] = left.dropFirst(slice.count)
            line.append(batch)
        }
        return true
    }

    private func listed(
        _ batch: BatchID,
        _ budget: inout WorkBudget
    ) throws(StoreFailure) -> ArraySlice<JobID> {
        // What has been retried since the last commit, the store takes for ended.
        let jobs = bench.ledger.unfinished(
            of: batch,
            besides: try bench.ports.store.jobIDs(unfinishedOf: batch)
        )
        budget.spend(Self.cost + jobs.count / 10)
        // The lease is loaded again when somebody retries one of the batch's jobs.
        if jobs.isEmpty, bench.leases.isLapsed(batch) { bench.forgetLease(of: batch) }
        return jobs[...]
    }
}
