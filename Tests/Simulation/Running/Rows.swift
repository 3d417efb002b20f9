import JobModel
import Vocabulary

/// The rows that the store has, as its transactions say: what is durable.
final class Rows {
    private(set) var jobs: [JobID: Job] = [:]
    /// The jobs that haven't ended.
    private(set) var unfinished: Set<JobID> = []
    private var batches: [BatchID: StoreChanges.NewBatch] = [:]
    private var hidden: Set<BatchID> = []
    /// The number of visible jobs in each state.
    private(set) var counts: [JobState: Int] = [:]
    private(set) var lastEvent: Int64 = 0
    /// The last line about a page of each source.
    private(set) var pages: [Int64: String] = [:]
    /// The events of the last transaction.
    private(set) var events: [JobEvent] = []
    private(set) var lastEnding: Int64 = 0
    /// Hears of each row before and after a change.
    var changed: (Job?, Job?) -> Void = { _, _ in }
    /// Hears of events whose numbers don't follow those before.
    private(set) var gap: String?

    /// Takes a transaction in.
    func apply(_ changes: StoreChanges) {
        for batch in changes.newBatches {
            batches[batch.id] = batch
            if !batch.isVisible { hidden.insert(batch.id) }
        }
        events = changes.events
        lastEnding = max(lastEnding, changes.lastEnding)
        for event in changes.events {
            if event.id != lastEvent + 1 { gap = "event \(event.id) follows event \(lastEvent)" }
            lastEvent = event.id
        }
        for write in changes.sources {
            if let row = write.row, let page = write.page { pages[row.id] = page }
        }
        for job in changes.newJobs { set(job.id, job) }
        for change in changes.restingChanges {
            for number in change.jobs.lowerBound.rawValue...change.jobs.upperBound.rawValue {
                guard var job = jobs[JobID(rawValue: number)] else { continue }
                change.apply(to: &job)
                set(job.id, job)
            }
        }
        for job in changes.changedJobs { set(job.id, job) }
        for job in changes.forgottenJobs { set(job, nil) }
        for batch in changes.revealedBatches where hidden.remove(batch) != nil {
            for job in jobs.values where job.batch == batch { counts[job.state, default: 0] += 1 }
        }
        for batch in changes.withdrawnBatches {
            for job in jobs.values.filter({ $0.batch == batch }).map(\.id).sorted() { set(job, nil) }
            batches[batch] = nil
            hidden.remove(batch)
        }
    }

    /// A daemon begins, which forgets the batches that weren't accepted as a whole.
    func begin() {
        for job in jobs.values.filter({ hidden.contains($0.batch) }).map(\.id).sorted() { jobs[job] = nil }
        unfinished = unfinished.filter { jobs[$0] != nil }
        for batch in hidden { batches[batch] = nil }
        hidden = []
    }

    private func set(_ id: JobID, _ job: Job?) {
        let before = jobs[id]
        jobs[id] = job
        if let before, !hidden.contains(before.batch) { counts[before.state, default: 0] -= 1 }
        if let job, !hidden.contains(job.batch) { counts[job.state, default: 0] += 1 }
        if job.map({ !$0.state.isFinal }) ?? false { unfinished.insert(id) } else { unfinished.remove(id) }
        changed(before, job)
    }

    /// Returns the length of a batch's lease in seconds, and when the batch was accepted; nil for one without a lease.
    func lease(of batch: BatchID) -> (seconds: Int, grantedAt: Moment)? {
        batches[batch].flatMap { batch in batch.lease.map { ($0, batch.createdAt) } }
    }

    /// The numbers of jobs by state, where there are any.
    var present: [JobState: Int] { counts.filter { $0.value > 0 } }

    /// Returns the visible jobs for which a condition holds, in order.
    func ids(where holds: (Job) -> Bool) -> [JobID] {
        jobs.values.filter { !hidden.contains($0.batch) && holds($0) }.map(\.id).sorted()
    }
}
