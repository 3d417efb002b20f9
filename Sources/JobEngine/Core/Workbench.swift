import JobCore

/// Where jobs are worked on: gives each what happens to it, and takes in what its machine decides.
///
/// Its parts keep to themselves what they are made of; whoever schedules, steers or looks goes to them
/// for what concerns them alone, and to ``step(_:_:now:)`` for whatever happens to a job.
final class Workbench {
    let ports: EnginePorts
    /// What the engine goes by.
    private(set) var configuration: JobEngineConfiguration {
        didSet { context.retry = configuration.retry }
    }
    /// The jobs at hand.
    var jobs = LiveJobs()
    /// What is next.
    var queues: Queues
    /// What is to be written and told.
    var ledger: Ledger
    /// What is to be done after that.
    var outbox = Outbox()
    /// Who is to be answered then.
    var answers = Answers()
    /// When that is.
    var window = CommitWindow()
    /// How many jobs stand where.
    var counts: StateCounts
    /// What machines go by.
    private var context: JobContext
    /// Where to say what can't have happened, and what has been said of that.
    private let complain: (String) -> Void
    private var complaints: Set<String> = []

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
    }

    /// Takes up what was left when the daemon ended.
    func takeUp(_ stored: StoredState, now: Moment) {
        for job in stored.queued { queues.transfers.enqueue(job.id, host: job.host, priority: job.priority) }
        for job in stored.broken {
            guard let failure = job.failure else { continue }
            jobs.touch(job.id)
            ledger.write([.failed(url: job.url.masked, failure: failure)], of: jobs.take(job), now: now)
        }
        for job in stored.unfinished {
            if jobs[job.id] == nil { jobs.take(job) }
            let publication = job.reservation.map { ports.documents.publication(of: job.id, $0) }
            // The job is at hand, so the store is not asked and can't fail.
            _ = try? step(job.id, .recovered(publication), now: now)
        }
    }

    /// Goes by another configuration; what is under way goes on.
    func reconfigure(_ configuration: JobEngineConfiguration) {
        self.configuration = configuration
        queues.transfers.setLimits(configuration.transfers)
        queues.documents.setCapacity(configuration.detections)
    }

    /// What became of one input: the job after it, and why it was not possible.
    typealias Outcome = (live: LiveJob, refusal: String?)

    /// Gives a job one input; nil when there is no such job.
    @discardableResult
    func step(_ job: JobID, _ input: JobInput, now: Moment) throws(StoreFailure) -> Outcome? {
        guard let live = try live(job) else { return nil }
        let before = live.machine.job.state
        context.now = now
        let decision = live.machine.handle(input, in: &context)
        jobs.touch(job)
        counts.move(from: before, to: live.machine.job.state)
        if let impossibility = decision.impossibility { object(impossibility, of: job) }
        // With the disk full, nothing is begun that could wait.
        let isHeld = decision.canWait && !window.isHeldUp && !ledger.isChanged(job)
        if isHeld {
            ledger.hold(decision.events, of: live, now: now)
        } else if decision.isDirty {
            ledger.write(decision.events, of: live, now: now)
        }
        for move in decision.moves {
            guard let answer = queues.carryOut(move, for: live.machine.job) else { continue }
            try step(job, answer, now: now)
        }
        guard !decision.deeds.isEmpty else { return (live, decision.refusal) }
        // What concerns the outside waits for the commit, except where nothing rests on that.
        let isEarly = isHeld && !ledger.isAccepting(job)
        for deed in decision.deeds {
            outbox.add(deed, for: live.machine.job, isEarly: isEarly, documents: ports.documents)
        }
        return (live, decision.refusal)
    }

    /// Says once that something can't have happened: a mistake in one of the parts, by which nothing is
    /// lost here.
    private func object(_ impossibility: String, of job: JobID) {
        guard complaints.insert(impossibility).inserted else { return }
        complain("\(job): \(impossibility)")
    }

    /// A job at hand, or from the store; nil when there is no such job.
    func live(_ job: JobID) throws(StoreFailure) -> LiveJob? { try jobs.find(job, in: ports.store) }

    /// Has jobs at hand that are going to be needed.
    func fetch(_ ids: [JobID]) throws(StoreFailure) {
        try jobs.fetch(ids, from: ports.store) { ledger.newJob($0) }
    }

    /// Has the jobs that are to be fetched soon read from the store, where the next of them is not at hand.
    func readAhead(of granted: [JobID]) throws(StoreFailure) {
        try jobs.readAhead(of: granted, from: ports.store) { queues.transfers.isQueued($0) }
    }

    /// Forgets batches that a full disk keeps out, with all of their jobs.
    func forget(_ batches: [StoreChanges.NewBatch]) {
        ledger.withdraw(batches)
        for batch in batches {
            jobs.forget(batch.jobs)
            outbox.forget(batch.jobs)
        }
    }

    /// Whether there is anything to write, to do or to answer.
    var hasPending: Bool { !ledger.isEmpty || !outbox.isEmpty || !answers.isEmpty }

    /// What was decided is durable: has it done and told, and lets go of the jobs that rest.
    func finishTurn() {
        outbox.perform(ports) { jobs[$0]?.machine.job.sha256 != nil }
        tell(ledger.takeCommitted())
        jobs.letGo()
    }

    private func tell(_ events: [JobEvent]) {
        if !events.isEmpty {
            let lines = EventLines(events)
            for sink in ports.sinks { sink.append(lines) }
        }
        guard ports.bus.listenerCount > 0 else { return }
        ports.bus.publish(events.map(EventBus.Item.event))
    }
}
