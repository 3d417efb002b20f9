import JobCore

/// The engine without its thread: turns over inputs, one at a time.
///
/// A turn lets the machines decide about everything that has arrived, writes
/// all of it in one transaction, and only then acts and tells. Confined to
/// the engine's thread; tests call it directly.
final class EngineCore {
    struct Ports {
        var store: any StorePort
        var transfers: any TransferPort
        var documents: any DocumentPort
        var detection: any DetectionPort
        var sinks: [any EventSink]
        var bus: EventBus
    }

    let ports: Ports
    private(set) var configuration: JobEngineConfiguration
    let startedAt: Moment
    var generator: any RandomNumberGenerator

    /// Machines that something is under way for, and those this turn has touched.
    var machines: [JobID: LiveJob] = [:]
    /// Queued jobs as they are in the store, for when their turn comes; nobody has touched them.
    var readAhead: [JobID: Job] = [:]
    static let readAheadCount: Int64 = 256
    var queue: TransferQueue
    var gate: DetectionGate
    var timers = PriorityHeap<RetryTimer>()
    var counts: [JobState: Int] = [:]
    var meters: [JobID: TransferMeter] = [:]
    /// What all transfers have fetched so far.
    var receivedBytes: Int64 = 0
    /// Long lists that are taken a slice a turn.
    var intakes: [Intake] = []
    var sweeps: [Sweep] = []
    var nextJob: Int64 = 1
    var nextBatch: Int64 = 1
    var nextEvent: Int64 = 1

    /// Whether the last turn left documents that could have been begun with.
    var hasMoreDetections = false

    /// What was decided and is not durable yet; outlives the turn when the disk is full, and for
    /// some milliseconds when there are many turns.
    var pending = PendingTurn()
    /// Jobs with changes that wait for others, and the moment of the oldest of those.
    var heldJobs: Set<JobID> = []
    var oldestHeld: Moment?
    /// Transfers of this turn that need not wait for a commit.
    var earlyTransfers: [TransferRequest] = []
    /// Progress to tell listeners; not durable.
    var progress: [EventBus.Item] = []
    /// The clock that moments come from, and what the store has of it; nil before the first commit.
    private let clock: SteadyClock?
    var storedClock: StoredClock?
    /// When the last commit was, and the last event that was numbered.
    var committedAt: Moment?
    var latestEvent: Moment?
    /// Free bytes where the documents are, asked for once a turn; nil when not asked yet.
    var freeBytes: Int64??
    /// When a commit that found the disk full is tried again.
    var commitRetryAt: Moment?
    /// The room that the store has, and what is done about it.
    var room = StoreRoom()

    init(
        ports: Ports,
        configuration: JobEngineConfiguration,
        now: Moment,
        clock: SteadyClock? = nil,
        generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) throws(StoreFailure) {
        self.ports = ports
        self.configuration = configuration
        self.generator = generator
        self.clock = clock
        startedAt = now
        let stored = try Self.storedState(ports)
        queue = TransferQueue(limits: configuration.transfers)
        let left = configuration.remembersDetectionGate ? stored.detectionGateOpen : nil
        gate = DetectionGate(
            isOpen: left ?? configuration.detectionGateOpen,
            capacity: configuration.detections
        )
        takeUp(stored, now: now)
        beginWithReserve(now: now)
    }

    /// Takes everything that arrived, and returns when the engine should come
    /// back by itself: nil when only an input can bring it something to do.
    func turn(_ inputs: [EngineInput], now: Moment) throws(StoreFailure) -> Moment? {
        // What a full disk held up goes first.
        if commitRetryAt != nil { try commit(now: now) }
        tendReserve(now: now)
        freeBytes = nil
        for input in inputs { try take(input, now: now) }
        try continueIntakes(now: now)
        try continueSweeps(now: now)
        try takeDueTimers(now: now)
        // With the disk full nothing new is begun; what was decided waits for its commit.
        if commitRetryAt == nil, !room.isShort {
            try grantSlots(now: now)
            try beginDetections(now: now)
        }
        startEarlyTransfers()
        releaseHeld(now: now)
        if isTimeToCommit(now: now) { try commit(now: now) }
        tellProgress()
        return nextWake(now: now)
    }

    /// Has the clock stored with the next commit, where that is due, for another run to go on with.
    func keepClock(now: Moment, atOnce: Bool = false) {
        guard let clock, atOnce || storedClock?.isOutdated(at: now) ?? true else { return }
        pending.changes.clock = clock.stored(at: now)
    }

    /// Answers with a value once the turn is durable.
    func answer<Value: Sendable>(_ reply: @escaping EngineInput.Reply<Value>, with value: Value) {
        pending.replies.append { error in reply(error.map(Result.failure) ?? .success(value)) }
    }

    /// Answers everyone who still waits that the engine is stopping.
    func abandon() {
        for reply in pending.replies { reply(.stopping) }
        for (intake, _) in pending.accepted { for reply in intake.replies { reply(.failure(.stopping)) } }
        for intake in intakes { for reply in intake.replies { reply(.failure(.stopping)) } }
        for sweep in sweeps { sweep.reply(.failure(.stopping)) }
    }

    /// How everything stands, for those who ask without waiting.
    var status: EngineStatus {
        var status = EngineStatus(startedAt: startedAt)
        status.jobsByState = counts.filter { $0.value > 0 }
        status.activeTransfers = queue.activeCount
        status.receivedBytes = receivedBytes
        status.bytesPerSecond = meters.values.reduce(0) { $0 + $1.bytesPerSecond }
        status.detectionGateOpen = gate.isOpen
        status.activeDetections = gate.activeCount
        status.waitingDetections = gate.waitingCount
        status.holds = holds
        return status
    }

    private func nextWake(now: Moment) -> Moment? {
        if let commitRetryAt { return commitRetryAt }
        if !intakes.isEmpty || !sweeps.isEmpty || hasMoreDetections && !room.isShort { return now }
        let wakes = [
            timers.first?.until, room.fillAt, oldestHeld?.adding(seconds: HeldChange.longest),
            pending.isEmpty ? nil : committedAt?.adding(seconds: Self.commitInterval),
        ]
        return wakes.compactMap(\.self).min()
    }

    private func take(_ input: EngineInput, now: Moment) throws(StoreFailure) {
        switch input {
        case .transfers(let reports):
            for (job, report) in reports {
                meter(job, report, now: now)
                try step(job, .transfer(report, counts: counts(report, of: job)), now: now)
                follow(job, report, now: now)
                if case .began(let start) = report, let total = start.total,
                    let failure = roomRefusal(for: job, needing: total - start.offset)
                {
                    try step(job, .roomRefused(failure), now: now)
                }
            }
        case .storage(let reports):
            for (job, report) in reports { try step(job, .storage(report), now: now) }
        case .detected(let job, let result):
            try detectionEnded(job, result, now: now)
        case .submit(let submission, let reply): try submit(submission, now: now, reply: reply)
        case .steer(let action, let job, let reply): try steer(action, job, now: now, reply: reply)
        case .steerAll(let action, let reply): try steerAll(action, reply: reply)
        case .setGate(let open, let reply):
            guard commitRetryAt == nil else { return reply(.failure(.outOfSpace)) }
            if gate.isOpen != open {
                gate.setOpen(open)
                pending.changes.detectionGateOpen = open
            }
            answer(reply, with: ())
        case .followGate(let open): gate.setOpen(open)
        case .reconfigure(let configuration):
            self.configuration = configuration
            queue.setLimits(configuration.transfers)
            gate.setCapacity(configuration.detections)
        case .checkIn(let answer): answer()
        }
    }

    /// A job that waits for its next try.
    struct RetryTimer: Comparable {
        var until: Moment
        var job: JobID

        static func < (lhs: RetryTimer, rhs: RetryTimer) -> Bool {
            (lhs.until, lhs.job) < (rhs.until, rhs.job)
        }
    }
}
