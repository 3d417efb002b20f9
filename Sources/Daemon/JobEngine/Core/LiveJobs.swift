import JobCore
import JobModel
import Vocabulary

/// The jobs in memory: those with work under way, those touched by the current turn, and those that are
/// next.
///
/// All others are only in the store, and are read when they are needed.
struct LiveJobs {
    private var live: [JobID: LiveJob] = [:]
    /// Queued jobs, unchanged since they were accepted, as they are in the store.
    private var accepted = AcceptedJobs()
    /// Queued jobs read ahead, unchanged since they were read.
    private var ahead: [JobID: Job] = [:]
    /// The next transaction's changes to resting jobs that aren't in memory.
    private(set) var resting = RestingChanges()
    /// The jobs to drop with the next ``letGo()`` unless work is under way for them.
    private var touched: Set<JobID> = []

    /// The number of jobs read ahead at once.
    static let readAheadCount = 256
    /// The number of jobs that are read ahead of each flow at least, and up to which all are kept.
    private static let flowReadAhead = (each: 16, inAll: 2048)

    /// The number of jobs in memory, not counting those read ahead.
    var count: Int { live.count }

    /// The job with this id if it is in memory.
    subscript(job: JobID) -> LiveJob? { live[job] }

    /// Returns the ids of the jobs in one state.
    func ids(in state: JobState) -> [JobID] {
        live.compactMap { $0.value.job.state == state ? $0.key : nil }
    }

    /// Adds a job, which stays in memory until it has been touched.
    @discardableResult
    mutating func add(_ job: Job) -> LiveJob {
        let added = LiveJob(job)
        live[job.id] = added
        return added
    }

    /// Keeps jobs that the store has just accepted until their turn comes.
    mutating func keep(accepted jobs: [Job]) {
        guard !jobs.isEmpty else { return }
        accepted.add(jobs)
        // Those that the same transaction has changed.
        for job in live.keys { accepted.remove(job) }
        for change in resting.all { accepted.drop(change.jobs) }
    }

    /// Adds the change of a resting job that isn't in memory.
    mutating func rest(_ change: RestingChange) {
        accepted.drop(change.jobs)
        if !ahead.isEmpty { ahead[change.jobs.lowerBound] = nil }
        resting.append(change)
    }

    /// Notes that the changes to resting jobs are in the store.
    mutating func committed() { resting = RestingChanges() }

    /// Marks a job as touched by this turn.
    mutating func touch(_ job: JobID) { touched.insert(job) }

    /// Returns a job from memory or from the store; nil if it doesn't exist.
    mutating func find(_ job: JobID, in store: any StorePort) throws(StoreFailure) -> LiveJob? {
        if let live = live[job] { return live }
        var stored = unchanged(job)
        if stored == nil { stored = try store.jobs([job]).first }
        return stored.map { load($0) }
    }

    /// Loads jobs that will be needed, with a single read.
    ///
    /// `beingAccepted` provides those that the current turn accepts, which are not in the store yet.
    mutating func fetch(
        _ jobs: [JobID],
        from store: any StorePort,
        beingAccepted: (JobID) -> Job?
    ) throws(StoreFailure) {
        var missing: [JobID] = []
        for job in jobs where live[job] == nil {
            if let known = beingAccepted(job) ?? unchanged(job) {
                load(known)
            } else {
                missing.append(job)
            }
        }
        for job in try store.jobs(missing) { load(job) }
    }

    /// Reads the next jobs ahead if the last one that got a permit is not in memory, because reading
    /// each by itself would take as long as writing it.
    ///
    /// Flows take turns: the more there are, the less is read ahead of each, and kept until its next turn.
    mutating func readAhead(
        of granted: [JobID],
        sharedBy flows: Int,
        from store: any StorePort,
        isQueued: (JobID) -> Bool
    ) throws(StoreFailure) {
        guard let last = granted.last, !isInMemory(last) else { return }
        let count = max(Self.flowReadAhead.each, Self.readAheadCount / max(1, flows))
        let following = (1...count).map { JobID(rawValue: last.rawValue + Int64($0)) }
        let wanted = (granted + following.filter(isQueued)).filter { !isInMemory($0) }
        if ahead.count + wanted.count > Self.flowReadAhead.inAll { ahead = [:] }
        for job in try store.jobs(wanted) where live[job.id] == nil { ahead[job.id] = amended(job) }
    }

    /// Drops the touched jobs without work under way, which are in the store.
    mutating func letGo() {
        for id in touched { if let job = live[id], !job.isLive { live[id] = nil } }
        touched = []
    }

    /// Forgets one job.
    mutating func forget(_ job: JobID) {
        live[job] = nil
        _ = unchanged(job)
        touched.remove(job)
    }

    /// Forgets jobs whose batch was withdrawn.
    mutating func forget(_ jobs: ClosedRange<JobID>) {
        live = live.filter { !jobs.contains($0.key) }
        accepted.drop(jobs)
        ahead = ahead.filter { !jobs.contains($0.key) }
        touched = touched.filter { !jobs.contains($0) }
    }

    private func isInMemory(_ job: JobID) -> Bool {
        live[job] != nil || accepted.contains(job) || ahead[job] != nil
    }

    /// Returns a job that is kept because nothing has changed in it, and keeps it no longer; nil if it isn't.
    private mutating func unchanged(_ job: JobID) -> Job? {
        accepted.remove(job) ?? ahead.removeValue(forKey: job)
    }

    @discardableResult
    private mutating func load(_ job: Job) -> LiveJob {
        touched.insert(job.id)
        return add(amended(job))
    }

    /// Returns a job as the next transaction will leave it, given how it was read from the store.
    private func amended(_ job: Job) -> Job {
        guard resting.contains(job.id) else { return job }
        var job = job
        resting.amend(&job)
        return job
    }
}

/// A job with work under way, or one that the current turn has touched.
///
/// It is a class because a job is large and takes half a dozen steps: copying it out of a dictionary and
/// back would take longer than deciding. Confined to the engine's thread.
final class LiveJob {
    var machine: JobMachine

    init(_ job: Job) { machine = JobMachine(job: job) }

    var job: Job { machine.job }

    /// True if work is under way for it; here, because the machine would be copied elsewhere.
    var isLive: Bool { machine.isLive }
}
