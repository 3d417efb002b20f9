import JobCore
import JobModel
import Vocabulary

/// The place where jobs are worked on: passes inputs to their machines and takes in their decisions.
///
/// The parts of the engine read what is here, and change it by ``step(_:_:now:)`` for anything that happens to a
/// job, and by one method for each thing that they decide themselves. They work directly with the queues, the
/// leases and the documents to be removed.
final class Workbench {
    let ports: EnginePorts
    /// The engine's configuration.
    private(set) var configuration: JobEngineConfiguration {
        didSet {
            (context.retry, context.stepsFrom) = (configuration.retry, configuration.stepsFrom)
            context.layout = configuration.layout
            context.documents = configuration.documents
        }
    }
    /// The jobs in memory.
    private(set) var jobs = LiveJobs()
    /// The queues of jobs and documents that wait.
    var queues: Queues
    /// The changes to write and the events to publish.
    private(set) var ledger: Ledger
    /// The batches that somebody has to renew.
    var leases = BatchLeases()
    /// The documents that may be removed to make room.
    var evictables = EvictableDocuments()
    /// The work to be done after the commit.
    private(set) var outbox = Outbox()
    /// The answers to be given after the commit.
    private(set) var answers = Answers()
    /// The time of the next commit.
    private(set) var window = CommitWindow()
    /// The number of jobs in each state.
    private(set) var counts: StateCounts
    /// The number of jobs in each state by the store, which is all that anybody is told.
    private(set) var storedCounts: StateCounts
    /// The context passed to machines.
    private var context: JobContext
    /// Called with each impossible input, once for each kind.
    private let complain: (String) -> Void
    private var complaints: Set<String> = []
    /// The batch that was found to have no lease last.
    private var batchWithoutLease: BatchID?

    init(
        ports: EnginePorts,
        configuration: JobEngineConfiguration,
        queues: Queues,
        stored: StoredState,
        context: JobContext,
        complain: @escaping (String) -> Void
    ) {
        self.ports = ports
        self.configuration = configuration
        self.queues = queues
        self.context = context
        self.complain = complain
        ledger = Ledger(after: stored.lastEvent)
        counts = StateCounts(stored.jobsByState)
        storedCounts = counts
    }

    /// Applies a new configuration; work under way is not interrupted.
    func reconfigure(_ configuration: JobEngineConfiguration) {
        self.configuration = configuration
        queues.transfers.setRules(configuration.hosts)
        queues.transfers.setLimits(configuration.transfers)
        queues.documents.setCapacity(configuration.detections)
    }

    /// The result of one input: the job afterwards, and the reason if it was refused.
    typealias Outcome = (live: LiveJob, refusal: String?)

    /// Passes an input to a job's machine and takes in the decision; returns nil if there is no such
    /// job.
    @discardableResult
    func step(_ job: JobID, _ input: JobInput, now: Moment) throws(StoreFailure) -> Outcome? {
        guard let live = try live(job) else { return nil }
        let before = live.job.state
        // Its permit then goes back.
        if case .permitGranted = input { try hold(live, now: now) }
        let refusal = try pass(input, to: live, now: now)
        if live.job.state == .queued, before.isFinal || before == .paused {
            try learnLease(of: live.job.batch)
        }
        // Whatever has queued it: a start, a retry, a person.
        try hold(live, now: now)
        return (live, refusal)
    }

    /// Loads the lease of a batch if it isn't known because all its jobs had ended.
    func learnLease(of batch: BatchID) throws(StoreFailure) {
        guard batch != batchWithoutLease, !leases.knows(batch) else { return }
        guard let seconds = try ports.store.lease(of: batch) else { return batchWithoutLease = batch }
        leases.takeUp(batch, seconds: seconds)
    }

    /// Forgets the lease of a batch, which is learnt again when it is needed.
    func forgetLease(of batch: BatchID) {
        leases.forget(batch)
        batchWithoutLease = nil
    }

    /// Pauses a job that is queued although the lease of its batch has lapsed.
    private func hold(_ live: LiveJob, now: Moment) throws(StoreFailure) {
        guard live.job.state == .queued, leases.isLapsed(live.job.batch) else { return }
        try pass(.hold, to: live, now: now)
    }

    /// Passes an input to a job's machine and takes in the decision; returns the reason if it was refused.
    @discardableResult
    private func pass(_ input: JobInput, to live: LiveJob, now: Moment) throws(StoreFailure) -> String? {
        let job = live.job.id
        let before = live.machine.job.state
        context.now = now
        let decision = live.machine.handle(input, in: &context)
        jobs.touch(job)
        counts.move(1, from: before, to: live.machine.job.state)
        if before == .detecting, live.machine.job.state != .detecting { outbox.dropLook(at: job) }
        evictables.update(live.machine.job)
        if let impossibility = decision.impossibility { object(impossibility, of: job) }
        // With a full disk, nothing is begun early.
        let isHeld = decision.canWait && !window.isHeldUp && !ledger.isChanged(job)
        if isHeld {
            let isStart = before == .queued && live.machine.job.state == .downloading
            ledger.hold(decision.events, of: live, isStart: isStart, now: now)
        } else if decision.isDirty {
            ledger.write(decision.events, of: live, now: now)
        }
        for move in decision.moves {
            guard let answer = queues.carryOut(move, for: live.machine.job, now: now) else { continue }
            try step(job, answer, now: now)
        }
        guard !decision.effects.isEmpty else { return decision.refusal }
        // Work for the outside waits for the commit, unless nothing depends on that.
        let isEarly = isHeld && !ledger.isAccepting(live.machine.job)
        for effect in decision.effects {
            outbox.add(
                effect,
                for: live.machine.job,
                isEarly: isEarly,
                documents: ports.documents,
                turn: queues.transfers.turn(of: job),
                spread: queues.transfers.spread(of: job)
            )
        }
        return decision.refusal
    }

    /// Brings a job into memory, unless it is there.
    func bring(_ job: Job) { if jobs[job.id] == nil { jobs.add(job) } }

    /// Reports that a stored job has failed, because its row is damaged.
    func reportFailure(of broken: Job, now: Moment) {
        guard let failure = broken.failure else { return }
        var job = broken
        context.number(.failed, of: &job)
        jobs.touch(job.id)
        ledger.write([.failed(url: job.url.masked, failure: failure)], of: jobs.add(job), now: now)
    }

    /// Lets a resting job's machine decide, without acting on the decision.
    func decide(_ input: JobInput, on machine: inout JobMachine, now: Moment) -> JobDecision {
        context.now = now
        return machine.handle(input, in: &context)
    }

    /// Applies a decision about a resting job, except for its moves in the queues.
    func apply(
        _ decision: JobDecision,
        _ change: RestingChange,
        of resting: RestingJob,
        becoming job: Job,
        now: Moment
    ) {
        for effect in decision.effects {
            outbox.add(effect, for: job, isEarly: false, documents: ports.documents)
        }
        counts.move(1, from: change.before, to: change.after)
        jobs.rest(change)
        ledger.emit(decision.events, of: resting, now: now)
    }

    /// The contents of the next transaction.
    var rows: StoreChanges {
        var rows = ledger.rows
        rows.restingChanges = jobs.resting.all
        rows.lastEnding = context.lastEnding
        return rows
    }

    /// Reports an impossible input once: a bug in one of the parts, which loses nothing here.
    private func object(_ impossibility: String, of job: JobID) {
        guard complaints.insert(impossibility).inserted else { return }
        complain("\(job): \(impossibility)")
    }

    /// Returns a job from memory or from the store; nil if it doesn't exist.
    func live(_ job: JobID) throws(StoreFailure) -> LiveJob? {
        ledger.isForgotten(job) ? nil : try jobs.find(job, in: ports.store)
    }

    /// Forgets a job that has ended: its document stays, and a partial goes.
    func forget(_ live: LiveJob) {
        let job = live.job
        if job.path == nil {
            outbox.add(.discardPartial, for: job, isEarly: false, documents: ports.documents)
        }
        if let content = job.sha256 { outbox.forget(content: content) }
        evictables.forget(job.id)
        ledger.forget(job.id)
        jobs.forget(job.id)
        counts.add(-1, in: job.state)
    }

    /// Loads jobs that will be needed.
    func fetch(_ ids: [JobID]) throws(StoreFailure) {
        try jobs.fetch(ids, from: ports.store) { ledger.newJob($0) }
    }

    /// Reads the next jobs ahead from the store, if the next one isn't in memory.
    func readAhead(of granted: [JobID]) throws(StoreFailure) {
        try jobs.readAhead(of: granted, sharedBy: queues.transfers.flowCount, from: ports.store) {
            queues.transfers.isQueued($0)
        }
    }

    // MARK: - Batches

    /// Begins to accept a batch, whose jobs follow.
    func begin(_ batch: StoreChanges.NewBatch) { ledger.begin(batch) }

    /// Accepts a job of a batch.
    func begin(_ job: Job) { ledger.begin(job) }

    /// Puts newly accepted jobs in order, after some of a batch.
    func putNewJobsInOrder() { ledger.putInOrder() }

    /// Finishes a batch, all of whose jobs are accepted: counts them, and makes the batch visible unless it is.
    func finish(_ batch: StoreChanges.NewBatch, now: Moment) {
        if let lease = batch.lease { leases.grant(batch.id, seconds: lease, now: now) }
        if !batch.isVisible { ledger.reveal(batch.id) }
        counts.add(batch.jobCount, in: .queued)
    }

    /// Removes a batch's jobs from the counts and queues, before the batch is forgotten.
    func unfinish(_ batch: StoreChanges.NewBatch) {
        for number in batch.jobs.lowerBound.rawValue...batch.jobs.upperBound.rawValue {
            let job = JobID(rawValue: number)
            counts.add(-1, in: jobs[job]?.machine.job.state ?? .queued)
            queues.transfers.remove(job)
            queues.transfers.release(job)
        }
    }

    /// Forgets batches for which a full disk has no room, with all their jobs.
    func forget(_ batches: [StoreChanges.NewBatch]) {
        ledger.withdraw(batches)
        for batch in batches {
            evictables.forget(batch.jobs)
            jobs.forget(batch.jobs)
            outbox.forget(batch.jobs)
        }
    }

    // MARK: - What waits for the commit

    /// Answers a caller with a value once what was decided is durable.
    func answer<Value: Sendable>(_ reply: @escaping EngineInput.Reply<Value>, _ value: Value) {
        answers.add(reply, value)
    }

    /// Answers all waiting callers now, with an error or with their values.
    func giveAnswers(_ error: ControlError? = nil) { answers.give(error) }

    /// Adds a source's change to the next transaction.
    func keep(_ write: SourceWrite) { ledger.keep(write) }

    /// Adds an answer without a batch to the next transaction.
    func keep(_ answer: StoreChanges.EmptyAnswer) { ledger.keep(answer) }

    /// Adds the clock to the next transaction.
    func keep(_ clock: StoredClock) { ledger.keep(clock) }

    /// Opens or holds the detection gate, also for later runs of the daemon.
    func setDetectionGate(open: Bool) {
        if queues.documents.isOpen != open { ledger.keepGate(open: open) }
        queues.documents.setOpen(open)
    }

    /// Adds a document for a detector, which looks at it after the commit.
    func look(_ request: DetectionRequest) { outbox.look(request) }

    /// Notes that a job's body has become a document, as the store will know.
    func noteStored(_ job: JobID) { outbox.noteStored(job) }

    /// Returns whether the document store has been given work since the last call.
    func takeGivenFiles() -> Bool {
        defer { outbox.hasGivenFiles = false }
        return outbox.hasGivenFiles
    }

    /// Starts the transfers that don't wait for the commit.
    func startEarly() { outbox.startEarly(ports.transfers) }

    /// Moves changes that have been held for long enough to the next transaction.
    func releaseHeld(now: Moment) { ledger.releaseHeld(now: now, besides: inHand) }

    /// Moves all held changes to the next transaction, before the daemon stops; of requests in hand, nothing has begun.
    func releaseAllHeld(now: Moment) { ledger.releaseAllHeld(now: now, besides: inHand) }

    /// The jobs whose requests wait for others of their hosts, as far as the engine knows.
    private var inHand: Set<JobID> {
        queues.transfers.jobsAhead { [jobs] in jobs[$0]?.machine.awaitsAnswer ?? false }
    }

    /// Asks for the requests of jobs back that wait for others of their hosts.
    func recall(_ jobs: [JobID]) { outbox.recall(jobs, from: ports.transfers) }

    /// Queues a job again whose request was never sent.
    func takeBack(_ job: JobID, now: Moment) throws(StoreFailure) {
        queues.transfers.noteUnsent(job)
        try step(job, .unsent(wasTold: !ledger.takeHeldStart(of: job)), now: now)
    }

    /// Notes that everything pending is in the store.
    func committed(now: Moment) {
        window.committed(now: now)
        storedCounts = counts
        // Their beginnings alone aren't written yet.
        storedCounts.move(ledger.heldStarts, from: .downloading, to: .queued)
    }

    /// Notes that there is no room for what is pending, and answers all waiting callers with that.
    func foundNoRoom(now: Moment) {
        window.foundNoRoom(now: now)
        answers.give(.outOfSpace)
    }

    /// True if there is anything to write, do or answer.
    var hasPending: Bool { !ledger.isEmpty || !outbox.isEmpty || !answers.isEmpty }

    /// Finishes a turn after its commit: hands out work, publishes events, and drops idle jobs from
    /// memory.
    func finishTurn() {
        window.goOn()
        outbox.perform(ports) { jobs[$0]?.machine.job.sha256 != nil }
        jobs.keep(accepted: ledger.newJobs)
        emit(ledger.takeCommitted())
        jobs.committed()
        jobs.letGo()
    }

    private func emit(_ events: [JobEvent]) {
        if !events.isEmpty {
            let lines = EventLines(events)
            for sink in ports.sinks { sink.append(lines) }
        }
        guard ports.bus.listenerCount > 0 else { return }
        ports.bus.publish(events.map(EventBus.Item.event))
    }
}
