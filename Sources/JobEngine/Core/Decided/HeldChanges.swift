import JobCore

/// Changes that nobody waits for (``JobDecision/canWait``), each until it is written with the job's next
/// one, or by itself after a little while.
struct HeldChanges {
    private struct Change {
        var job: LiveJob
        var events: [JobEvent] = []
        let since: Moment
    }

    /// The longest that a change is held, in seconds: what a crash of the daemon can make of a new
    /// transfer that has begun is one that has not.
    static let longest = 0.1

    private var changes: [JobID: Change] = [:]
    /// A moment that none is older than.
    private var oldest: Moment?

    /// When the first of them is to be written.
    var dueAt: Moment? { oldest?.adding(seconds: Self.longest) }

    /// Holds a change of a job, and what is to be told of it.
    mutating func hold(_ events: [JobEvent], of job: LiveJob, now: Moment) {
        changes[job.job.id, default: Change(job: job, since: now)].events += events
        oldest = oldest ?? now
    }

    /// Gives out what is held of a job, to be told before what comes next.
    mutating func release(_ job: JobID) -> [JobEvent] {
        guard !changes.isEmpty, let change = changes.removeValue(forKey: job) else { return [] }
        if changes.isEmpty { oldest = nil }
        return change.events
    }

    /// The jobs whose changes have been held long enough, in order; each is to be released.
    mutating func due(now: Moment) -> [LiveJob] {
        guard let oldest, now.seconds(since: oldest) >= Self.longest else { return [] }
        let due = changes.values.filter { now.seconds(since: $0.since) >= Self.longest }
        self.oldest = changes.values.lazy.map(\.since).filter { now.seconds(since: $0) < Self.longest }.min()
        return due.map(\.job).sorted { $0.job.id < $1.job.id }
    }

    /// All jobs of which something is held, in order.
    var all: [LiveJob] { changes.values.map(\.job).sorted { $0.job.id < $1.job.id } }

    /// Forgets jobs that never were.
    mutating func forget(_ jobs: ClosedRange<JobID>) {
        changes = changes.filter { !jobs.contains($0.key) }
        if changes.isEmpty { oldest = nil }
    }
}
