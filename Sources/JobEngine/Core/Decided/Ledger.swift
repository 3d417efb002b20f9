import JobCore

/// What goes into the next transaction, what waits for a later one, and what is told of it.
///
/// What was decided outlives the turn when the disk is full, and for some milliseconds when there are
/// many turns.
struct Ledger {
    /// New rows, and the events so far; changed jobs are added by ``rows``.
    private var changes = StoreChanges()
    /// Jobs that changed, as they are now.
    private var changed: [JobID: LiveJob] = [:]
    private var held = HeldChanges()
    private var numbers: EventNumbers

    /// Goes on behind the last event that the store has; 0 for none.
    init(after lastEvent: Int64) { numbers = EventNumbers(after: lastEvent) }

    // MARK: - Jobs that change

    /// Has a job written by the next transaction, with what is to be told of it, and with what was
    /// held before.
    mutating func write(_ kinds: [JobEvent.Kind], of live: LiveJob, now: Moment) {
        let id = live.job.id
        changed[id] = live
        for event in held.release(id) { changes.events.append(numbers.number(event)) }
        for kind in kinds { changes.events.append(numbers.number(Self.event(kind, of: live, now: now))) }
    }

    /// Holds what nobody waits for.
    mutating func hold(_ kinds: [JobEvent.Kind], of live: LiveJob, now: Moment) {
        held.hold(kinds.map { Self.event($0, of: live, now: now) }, of: live, now: now)
    }

    /// Has what was held long enough written.
    mutating func releaseHeld(now: Moment) {
        for live in held.due(now: now) { write([], of: live, now: now) }
    }

    /// Has all that is held written, before the end.
    mutating func releaseAllHeld(now: Moment) {
        for live in held.all { write([], of: live, now: now) }
    }

    /// Whether a job is written by the next transaction anyhow.
    func isChanged(_ job: JobID) -> Bool { changed[job] != nil }

    private static func event(_ kind: JobEvent.Kind, of live: LiveJob, now: Moment) -> JobEvent {
        JobEvent(
            id: 0,
            time: now,
            batchCreatedAt: live.job.createdAt,
            batch: live.job.batch,
            job: live.job.id,
            kind: kind
        )
    }

    // MARK: - Batches that are accepted

    /// A batch begins to exist.
    mutating func begin(_ batch: StoreChanges.NewBatch) { changes.newBatches.append(batch) }

    /// A job of it begins to exist; ids ascend.
    mutating func begin(_ job: Job) { changes.newJobs.append(job) }

    /// A batch whose last jobs are in may be seen.
    mutating func reveal(_ batch: BatchID) { changes.revealedBatches.append(batch) }

    /// Whether the next transaction accepts a job, so that nothing of it is in the store yet.
    func isAccepting(_ job: JobID) -> Bool {
        guard let first = changes.newJobs.first else { return false }
        return job >= first.id
    }

    /// The batch that the next transaction accepts a job with; nil for jobs that are in the store.
    func newBatch(of job: JobID) -> StoreChanges.NewBatch? {
        changes.newBatches.first { $0.jobs.contains(job) }
    }

    /// A job that the next transaction accepts, as it is now; nil for others.
    func newJob(_ job: JobID) -> Job? {
        // Their ids ascend: batches are numbered in the order in which they come.
        let jobs = changes.newJobs
        var range = jobs.startIndex..<jobs.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if jobs[middle].id == job { return changed[job]?.job ?? jobs[middle] }
            range = jobs[middle].id < job ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// Forgets all new batches, and all about their jobs; slices that are in the store already go as soon
    /// as anything can be written.
    mutating func withdraw(_ batches: [StoreChanges.NewBatch]) {
        let new = Set(changes.newBatches.map(\.id))
        changes.withdrawnBatches += batches.map(\.id).filter { !new.contains($0) }
        changes.newBatches = []
        changes.newJobs = []
        changes.revealedBatches = []
        for jobs in batches.map(\.jobs) {
            changed = changed.filter { !jobs.contains($0.key) }
            held.forget(jobs)
            numbers.closeUp(&changes.events) { jobs.contains($0.job) }
        }
    }

    // MARK: - The transaction

    /// Has the detection gate's state remembered.
    mutating func keepGate(open: Bool) { changes.detectionGateOpen = open }

    /// Has the clock stored, for another run to go on with.
    mutating func keep(_ clock: StoredClock) { changes.clock = clock }

    /// True when there is nothing to write.
    var isEmpty: Bool { changes.isEmpty && changed.isEmpty }

    /// When what is held is to be written.
    var heldDueAt: Moment? { held.dueAt }

    /// What the next transaction writes.
    var rows: StoreChanges {
        var rows = changes
        // By number, since rows that lie side by side share pages.
        rows.changedJobs = changed.values.map(\.job).sorted { $0.id < $1.id }
        return rows
    }

    /// All of it is durable: gives out what is to be told.
    mutating func takeCommitted() -> [JobEvent] {
        let events = changes.events
        changes = StoreChanges()
        changed.removeAll(keepingCapacity: true)
        return events
    }
}
