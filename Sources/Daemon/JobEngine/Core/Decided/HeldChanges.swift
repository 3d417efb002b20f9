import JobModel
import Vocabulary

/// Changes that nobody waits for (``JobDecision/canWait``), each held until it can be written with the
/// job's next one, or for a short time.
struct HeldChanges {
    private struct Change {
        var job: LiveJob
        var events: [JobEvent] = []
        var isStart = false
        var since: Moment
    }

    /// The longest time that a change is held, in seconds; a crash within it makes a new transfer that
    /// has begun appear not to have.
    static let longest = 0.1

    private var changes: [JobID: Change] = [:]
    /// A time before which no change has come.
    private var oldest: Moment?

    /// The moment by which the oldest change must be written.
    var dueAt: Moment? { oldest?.adding(seconds: Self.longest) }

    /// The number of jobs that are queued but for what is held: their beginning.
    var starts: Int { changes.values.count(where: \.isStart) }

    /// Holds a job's change and its events; `isStart` is true if it was queued before that, and is being fetched now.
    mutating func hold(_ events: [JobEvent], of job: LiveJob, isStart: Bool = false, now: Moment) {
        changes[job.job.id, default: Change(job: job, since: now)].events += events
        if isStart { changes[job.job.id]?.isStart = true }
        oldest = oldest ?? now
    }

    /// Removes and returns a job's held events, which must precede its next ones.
    mutating func release(_ job: JobID) -> [JobEvent] {
        guard !changes.isEmpty, let change = changes.removeValue(forKey: job) else { return [] }
        if changes.isEmpty { oldest = nil }
        return change.events
    }

    /// Returns the jobs whose changes have been held long enough, in order; each must be released.
    ///
    /// The changes of those that have yet to begin are held as long again.
    mutating func due(now: Moment, besides waiting: @autoclosure () -> Set<JobID> = []) -> [LiveJob] {
        guard let oldest, now.seconds(since: oldest) >= Self.longest else { return [] }
        let isDue = { (change: Change) in now.seconds(since: change.since) >= Self.longest }
        if changes.values.contains(where: isDue) {
            for job in waiting() where changes[job].map(isDue) == true { changes[job]?.since = now }
        }
        let due = changes.values.filter(isDue)
        self.oldest = changes.values.lazy.map(\.since).filter { now.seconds(since: $0) < Self.longest }.min()
        return due.map(\.job).sorted { $0.job.id < $1.job.id }
    }

    /// All jobs with held changes, in order.
    var all: [LiveJob] { changes.values.map(\.job).sorted { $0.job.id < $1.job.id } }

    /// Forgets jobs whose batch was withdrawn.
    mutating func forget(_ jobs: ClosedRange<JobID>) {
        changes = changes.filter { !jobs.contains($0.key) }
        if changes.isEmpty { oldest = nil }
    }
}
