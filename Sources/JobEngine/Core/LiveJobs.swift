import JobCore

/// The jobs at hand: those that something is under way for, that a turn has touched, or that are next.
///
/// All others are in the store alone, and come from there when they are needed.
struct LiveJobs {
    private var live: [JobID: LiveJob] = [:]
    /// Queued jobs as they are in the store, for when their turn comes; nobody has touched them.
    private var ahead: [JobID: Job] = [:]
    /// Those that are let go with the next ``letGo()`` if nothing is under way for them then.
    private var touched: Set<JobID> = []

    /// How many jobs are read ahead.
    static let readAheadCount: Int64 = 256

    /// How many there are, those read ahead left out.
    var count: Int { live.count }

    /// A job that is at hand.
    subscript(job: JobID) -> LiveJob? { live[job] }

    /// Those in one state.
    func ids(in state: JobState) -> [JobID] {
        live.compactMap { $0.value.job.state == state ? $0.key : nil }
    }

    /// Takes a job up as it is; it stays until it has been touched.
    @discardableResult
    mutating func take(_ job: Job) -> LiveJob {
        let taken = LiveJob(job)
        live[job.id] = taken
        return taken
    }

    /// Marks a job as touched by this turn.
    mutating func touch(_ job: JobID) { touched.insert(job) }

    /// A job at hand, or from the store; nil when there is no such job.
    mutating func find(_ job: JobID, in store: any StorePort) throws(StoreFailure) -> LiveJob? {
        if let live = live[job] { return live }
        var stored = ahead.removeValue(forKey: job)
        if stored == nil { stored = try store.jobs([job]).first }
        return stored.map { load($0) }
    }

    /// Has jobs at hand that are going to be needed, with one read.
    ///
    /// `accepted` gives those that this very turn accepts, and that are not in the store yet.
    mutating func fetch(
        _ jobs: [JobID],
        from store: any StorePort,
        accepted: (JobID) -> Job?
    ) throws(StoreFailure) {
        var missing: [JobID] = []
        for job in jobs where live[job] == nil {
            if let known = accepted(job) ?? ahead.removeValue(forKey: job) {
                load(known)
            } else {
                missing.append(job)
            }
        }
        for job in try store.jobs(missing) { load(job) }
    }

    /// Reads the jobs that are to be fetched soon, when the last that got a permit is not at hand: a read
    /// for each would take as long as writing it.
    mutating func readAhead(
        of granted: [JobID],
        from store: any StorePort,
        isQueued: (JobID) -> Bool
    ) throws(StoreFailure) {
        guard let last = granted.last, live[last] == nil, ahead[last] == nil else { return }
        let following = (1...Self.readAheadCount).map { JobID(rawValue: last.rawValue + $0) }
        let wanted = granted.filter { live[$0] == nil } + following.filter(isQueued)
        ahead = [:]
        for job in try store.jobs(wanted) where live[job.id] == nil { ahead[job.id] = job }
    }

    /// Lets those go that were touched and that nothing is under way for: they are in the store.
    mutating func letGo() {
        for job in touched where live[job]?.machine.isLive == false { live[job] = nil }
        touched = []
    }

    /// Forgets jobs that never were.
    mutating func forget(_ jobs: ClosedRange<JobID>) {
        live = live.filter { !jobs.contains($0.key) }
        ahead = ahead.filter { !jobs.contains($0.key) }
        touched = touched.filter { !jobs.contains($0) }
    }

    @discardableResult
    private mutating func load(_ job: Job) -> LiveJob {
        touched.insert(job.id)
        return take(job)
    }
}
