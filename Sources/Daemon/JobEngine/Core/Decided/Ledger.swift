import JobModel
import Vocabulary

/// The contents of the next transaction, changes held for a later one, and the events to publish.
///
/// Decisions stay here beyond their turn if the disk is full, and for a few milliseconds if turns follow
/// each other closely.
struct Ledger {
    /// New rows and events; ``rows`` adds changed jobs.
    private var changes = StoreChanges()
    /// The changed jobs in their current state.
    private var changed: [JobID: LiveJob] = [:]
    /// Jobs whose rows are removed.
    private var forgotten: Set<JobID> = []
    private var held = HeldChanges()
    private var numbers: EventNumbers
    /// True if the new jobs' ids ascend.
    private var isInOrder = true

    /// Continues after the last event in the store, 0 if there is none.
    init(after lastEvent: Int64) { numbers = EventNumbers(after: lastEvent) }

    // MARK: - Jobs that change

    /// Adds a job to the next transaction, with new events and any that were held.
    mutating func write(_ kinds: [JobEvent.Kind], of live: LiveJob, now: Moment) {
        let id = live.job.id
        changed[id] = live
        for event in held.release(id) { changes.events.append(numbers.number(event)) }
        for kind in kinds { changes.events.append(numbers.number(Self.event(kind, of: live, now: now))) }
    }

    /// Adds the events of a resting job, whose change itself is in ``LiveJobs/resting``.
    mutating func emit(_ kinds: [JobEvent.Kind], of job: RestingJob, now: Moment) {
        for kind in kinds {
            let event = JobEvent(
                id: 0,
                time: now,
                batchCreatedAt: job.createdAt,
                batch: job.batch,
                job: job.id,
                kind: kind
            )
            changes.events.append(numbers.number(event))
        }
    }

    /// Holds a change that nobody waits for; `isStart` is true if the job was queued before it, and is being fetched now.
    mutating func hold(_ kinds: [JobEvent.Kind], of live: LiveJob, isStart: Bool = false, now: Moment) {
        held.hold(kinds.map { Self.event($0, of: live, now: now) }, of: live, isStart: isStart, now: now)
    }

    /// Moves changes that have been held long enough to the next transaction, but for those of jobs that have yet to
    /// begin.
    mutating func releaseHeld(now: Moment, besides waiting: @autoclosure () -> Set<JobID> = []) {
        for live in held.due(now: now, besides: waiting()) { write([], of: live, now: now) }
    }

    /// Moves all held changes to the next transaction, before the daemon stops, but for those of jobs that have yet to
    /// begin.
    mutating func releaseAllHeld(now: Moment, besides waiting: Set<JobID> = []) {
        for live in held.all where !waiting.contains(live.job.id) { write([], of: live, now: now) }
    }

    /// Forgets what is held of a job that hasn't begun after all; returns whether that includes its start.
    mutating func takeHeldStart(of job: JobID) -> Bool {
        held.release(job).contains { if case .started = $0.kind { true } else { false } }
    }

    /// Returns whether the next transaction writes a job anyway.
    func isChanged(_ job: JobID) -> Bool { changed[job] != nil }

    /// Returns the jobs of a batch that haven't ended by the store, and those that haven't by the next transaction.
    func unfinished(of batch: BatchID, besides stored: [JobID]) -> [JobID] {
        let changed = changed.values.filter { $0.job.batch == batch && !$0.job.state.isFinal }
        guard !changed.isEmpty else { return stored }
        let known = Set(stored)
        return stored + changed.map(\.job.id).filter { !known.contains($0) }.sorted()
    }

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

    // MARK: - Jobs that are forgotten

    /// Removes a job's row with the next transaction.
    mutating func forget(_ job: JobID) {
        guard forgotten.insert(job).inserted else { return }
        changes.forgottenJobs.append(job)
        changed[job] = nil
        for event in held.release(job) { changes.events.append(numbers.number(event)) }
    }

    /// Returns whether the next transaction removes a job, which therefore counts as gone.
    func isForgotten(_ job: JobID) -> Bool { forgotten.contains(job) }

    // MARK: - Batches that are accepted

    /// Adds a new batch.
    mutating func begin(_ batch: StoreChanges.NewBatch) { changes.newBatches.append(batch) }

    /// Adds a new job of a batch.
    mutating func begin(_ job: Job) {
        if let last = changes.newJobs.last, last.id > job.id { isInOrder = false }
        changes.newJobs.append(job)
    }

    /// Sorts new jobs: those of batches that are accepted side by side aren't in order.
    mutating func putInOrder() {
        guard !isInOrder else { return }
        changes.newJobs.sort { $0.id < $1.id }
        isInOrder = true
    }

    /// Returns whether the next transaction makes a batch visible; without room, it may not.
    func isRevealing(_ batch: BatchID) -> Bool { changes.revealedBatches.contains(batch) }

    /// Makes a batch visible, because its last jobs are in.
    mutating func reveal(_ batch: BatchID) { changes.revealedBatches.append(batch) }

    /// Adds a source's change to the next transaction.
    mutating func keep(_ write: SourceWrite) { changes.sources.append(write) }

    /// Stores the answer to a batch of which nothing was new.
    mutating func keep(_ answer: StoreChanges.EmptyAnswer) { changes.emptyAnswers.append(answer) }

    /// Returns whether the next transaction accepts a job: it is not in the store yet, or nobody may see it.
    func isAccepting(_ job: Job) -> Bool { place(ofNew: job.id) != nil || isRevealing(job.batch) }

    /// Returns the batch with which the next transaction accepts a job; nil for jobs in the store.
    func newBatch(of job: JobID) -> StoreChanges.NewBatch? {
        changes.newBatches.first { $0.jobs.contains(job) }
    }

    /// The jobs that the next transaction accepts, as they are accepted.
    var newJobs: [Job] { changes.newJobs }

    /// Returns a job that the next transaction accepts, in its current state; nil for other jobs.
    func newJob(_ job: JobID) -> Job? {
        place(ofNew: job).map { changed[job]?.job ?? changes.newJobs[$0] }
    }

    private func place(ofNew job: JobID) -> Int? {
        // They are in order.
        let jobs = changes.newJobs
        var range = jobs.startIndex..<jobs.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if jobs[middle].id == job { return middle }
            range = jobs[middle].id < job ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// Forgets all new batches with their jobs, and what was to be written of sources; slices already in
    /// the store are removed as soon as anything can be written.
    mutating func withdraw(_ batches: [StoreChanges.NewBatch]) {
        let new = Set(changes.newBatches.map(\.id))
        changes.withdrawnBatches += batches.map(\.id).filter { !new.contains($0) }
        changes.newBatches = []
        changes.newJobs = []
        changes.revealedBatches = []
        changes.sources = []
        for jobs in batches.map(\.jobs) {
            changed = changed.filter { !jobs.contains($0.key) }
            held.forget(jobs)
            numbers.closeUp(&changes.events) { jobs.contains($0.job) }
        }
    }

    // MARK: - The transaction

    /// Stores the position of the detection gate.
    mutating func keepGate(open: Bool) { changes.detectionGateOpen = open }

    /// Stores the clock, so that the next run can continue it.
    mutating func keep(_ clock: StoredClock) { changes.clock = clock }

    /// True if there is nothing to write.
    var isEmpty: Bool { changes.isEmpty && changed.isEmpty }

    /// The number of jobs that are queued but for what is held: their beginning.
    var heldStarts: Int { held.starts }

    /// The moment by which held changes must be written.
    var heldDueAt: Moment? { held.dueAt }

    /// The contents of the next transaction.
    var rows: StoreChanges {
        var rows = changes
        // In order of id, since neighbouring rows share pages; sorted first, because jobs are large.
        rows.changedJobs = changed.sorted { $0.key < $1.key }.map(\.value.job)
        return rows
    }

    /// Empties the ledger after a commit, and returns the events to publish.
    mutating func takeCommitted() -> [JobEvent] {
        let events = changes.events
        changes = StoreChanges()
        forgotten.removeAll()
        changed.removeAll(keepingCapacity: true)
        return events
    }
}
