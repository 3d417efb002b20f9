import JobCore
import JobModel
import Vocabulary

/// The engine without its thread, which works in turns.
///
/// In each turn, the machines decide about all inputs that have arrived, the result is written in one
/// transaction, and only then does the engine act and publish events. Confined to the engine's thread;
/// tests call it directly.
final class EngineCore {
    /// The jobs in memory, and what has been decided about them.
    let bench: Workbench
    /// Called before callers are answered, so that whoever then asks how things stand hears of what they did.
    var beforeAnswers: (EngineCore) -> Void = { _ in }
    private let startedAt: Moment
    /// The id that was made with the store.
    private let identity: String
    private var keeper: StoreKeeper
    var bulk: BulkWork
    var attention: AttentionWork
    var hours: HoursWork
    var eviction: Eviction
    var storage: StorageWork
    var removal: DocumentRemoval
    var transfers: TransferWork
    var detections: DetectionWork

    /// Loads the stored state; `complain` is called once for each kind of impossible input.
    init(
        ports: EnginePorts,
        configuration: JobEngineConfiguration,
        now: Moment,
        clock: SteadyClock? = nil,
        generator: any RandomNumberGenerator = SystemRandomNumberGenerator(),
        complain: @escaping (String) -> Void
    ) throws(StoreFailure) {
        startedAt = now
        keeper = StoreKeeper(ports, clock: clock)
        var waiting = WaitingJobs(
            transfers: TransferQueue(limits: configuration.transfers, rules: configuration.hosts),
            documents: DetectionGate(isOpen: false, capacity: configuration.detections)
        )
        let stored = try keeper.storedState(filling: &waiting)
        identity = stored.identity
        let left = configuration.remembersDetectionGate ? stored.detectionGateOpen : nil
        waiting.documents.setOpen(left ?? configuration.detectionGateOpen)
        bench = Workbench(
            ports: ports,
            configuration: configuration,
            queues: Queues(transfers: waiting.transfers, documents: waiting.documents),
            stored: stored,
            context: JobContext(
                now: now,
                retry: configuration.retry,
                stepsFrom: configuration.stepsFrom,
                layout: configuration.layout,
                documents: configuration.documents,
                generator: generator,
                lastEnding: stored.lastEnding
            ),
            complain: complain
        )
        bulk = BulkWork(bench: bench, after: stored)
        attention = AttentionWork(bench: bench)
        hours = HoursWork(bench: bench)
        eviction = Eviction(bench: bench)
        storage = StorageWork(bench: bench)
        removal = DocumentRemoval(bench: bench)
        transfers = TransferWork(bench: bench)
        detections = DetectionWork(bench: bench, untold: waiting.untold)
        try bench.takeUp(stored, now: now)
        keeper.beginWithReserve(now: now)
    }

    /// Handles all inputs, and returns when the engine should next run by itself; nil if only an input
    /// can bring it work.
    func turn(_ inputs: [EngineInput], now: Moment) throws(StoreFailure) -> Moment? {
        // Whatever a full disk held up goes first.
        if isHeldUp { try commit(now: now) }
        if !isHeldUp { keeper.tendReserve(now: now) }
        transfers.beginTurn()
        bulk.beginTurn(now: now)
        for input in inputs { try handle(input, now: now) }
        // Work that nobody has requested gets the rest of the budget.
        let jobs = bench.configuration.sliceSize
        let limit = isHeldUp ? jobs : try bulk.takeSlices(now: now).rest(of: jobs)
        attention.lapse(now: now)
        try transfers.decide(now: now)
        try transfers.takeDueRetries(atMost: limit, now: now)
        hours.look(now: now)
        storage.look(now: now)
        for report in storage.takeDecided() {
            switch report {
            case .transfer(let report, let job): try handle(report, of: job, now: now)
            case .storage(let report, let job): try handle(report, of: job, now: now)
            }
        }
        // In another directory of partials they begin anew.
        if storage.takeReplacement() || !mayTransfer { try transfers.stopAll(now: now) }
        if let obstacle = storage.obstacle { try removal.tell(obstacle) }
        if mayBegin, storage.mayBegin {
            try eviction.makeRoom(sparing: attention.interests, atMost: limit, now: now) { storage.isLost() }
        }
        // With a full disk nothing new is begun; decisions wait for their commit.
        if mayBegin {
            if mayTransfer, storage.mayBegin {
                try transfers.grantPermits(atMost: limit, now: now)
                try transfers.giveWay(now: now)
            }
            try detections.emitDeferred(atMost: limit, now: now)
            if storage.mayBegin { try detections.begin(atMost: limit, now: now) }
        }
        bench.startEarly()
        bench.releaseHeld(now: now)
        if isTimeToCommit(now: now) { try commit(now: now) }
        if bench.takeGivenFiles() { storage.gave(now: now) }
        transfers.emitProgress()
        return nextWake(now: now)
    }

    /// Writes everything that the next run needs, when the daemon stops and no transfer is running any
    /// more.
    func settle(now: Moment) throws(StoreFailure) {
        try eviction.writeServed(now: now)
        try transfers.settle(now: now)
        try detections.settle(now: now)
        bench.releaseAllHeld(now: now)
        if let clock = keeper.lastClock(now: now) { bench.keep(clock) }
        try commit(now: now)
    }

    /// Tells all waiting callers that the engine is stopping.
    func abandon() {
        bench.giveAnswers(.stopping)
        bulk.abandon()
        removal.abandon()
    }

    // MARK: - The commit

    /// Writes the decisions, and only then acts and publishes events.
    ///
    /// With a full disk nothing is lost. New batches are refused with an error; all other changes may
    /// use the store's reserve. If that is used up as well, decisions are kept and the commit is retried
    /// after a second.
    private func commit(now: Moment) throws(StoreFailure) {
        guard bench.window.mayTry(now: now) else { return }
        guard try write(now: now) else { return bench.foundNoRoom(now: now) }
        bench.finishTurn()
        if isAwaited { beforeAnswers(self) }
        bulk.intake.answer()
        bench.giveAnswers()
        detections.committed()
    }

    /// Writes pending changes; returns false if there is no room for them, even with the reserve.
    private func write(now: Moment) throws(StoreFailure) -> Bool {
        while !bench.ledger.isEmpty {
            do {
                try keeper.write(bench.rows, now: now)
                bench.committed(now: now)
                return true
            } catch .outOfSpace {
                keeper.commitFailed(now: now)
                bulk.intake.withdraw()
                guard keeper.makeRoom() else { return false }
            }
        }
        return true
    }

    // MARK: - Status

    /// True if decisions wait because the disk was full.
    var isHeldUp: Bool { bench.window.isHeldUp }

    /// True if there is room to begin new work.
    var mayBegin: Bool { !isHeldUp && !keeper.isShortOfRoom }

    /// True if transfers may be under way.
    private var mayTransfer: Bool { hours.allowTransfers && !storage.isHeld }

    /// Returns whether there is room to steer jobs in this way.
    ///
    /// What stops work always has room. What begins more of it could be asked for again and again, each
    /// time for all jobs, and fill what is left with events.
    func mayCarryOut(_ action: SteeringAction) -> Bool {
        switch action {
        case .pause, .cancel: !isHeldUp
        case .resume, .retry, .detect, .prioritize, .pin, .fingerprint: mayBegin
        }
    }

    private func isTimeToCommit(now: Moment) -> Bool {
        bench.ledger.isEmpty || bench.window.isOpen(now: now, isAwaited: isAwaited)
    }

    /// True if somebody waits for the durability of what was decided.
    private var isAwaited: Bool { !bench.answers.isEmpty || bulk.intake.isAwaited }

    private func nextWake(now: Moment) -> Moment? {
        if let retriesAt = bench.window.retriesAt { return retriesAt }
        let hasMore =
            bulk.count > 0
            || mayBegin
                && storage.mayBegin
                && (detections.hasMore || eviction.hasMore || mayTransfer && transfers.hasMore)
        if hasMore { return now }
        let mayGrant = mayBegin && mayTransfer && storage.mayBegin
        let wakes = [
            bench.queues.retries.next, keeper.fillsAt, bench.ledger.heldDueAt, attention.lapsesAt,
            bench.leases.lapsesAt,
            hours.looksAt, mayBegin && storage.mayBegin ? eviction.writesAt : nil,
            storage.looksAt(now: now), transfers.decidesAt,
            mayGrant ? bench.queues.transfers.opensAt(now: now) : nil,
            mayGrant ? bench.queues.transfers.displacesAt(now: now) : nil,
            mayGrant ? bench.queues.transfers.yieldsUntil(now: now) : nil,
            bench.hasPending || bulk.intake.isAwaited ? bench.window.opensAt : nil,
        ]
        return wakes.compactMap(\.self).min()
    }

    /// The current status, for those who ask without waiting.
    var status: EngineStatus {
        var status = EngineStatus(startedAt: startedAt)
        status.store = identity
        status.jobsByState = bench.storedCounts.present
        status.activeTransfers = bench.queues.transfers.underWayCount
        status.receivedBytes = transfers.receivedBytes
        status.bytesPerSecond = transfers.bytesPerSecond
        status.detectionGateOpen = bench.queues.documents.isOpen
        status.activeDetections = bench.queues.documents.activeCount
        status.waitingDetections = bench.queues.documents.waitingCount
        status.detectionEngine = bench.ports.detection.identity?.engine
        status.detectionEngines = bench.configuration.engines
        status.rateLimit = hours.rate?.limit
        status.rateLimitUntil = hours.rate?.until
        if isHeldUp || keeper.isShortOfRoom { status.holds = [.fullDisk] }
        status.holds += storage.holds
        status.holds += transfers.holds
        status.holds += hours.holds
        status.holds += eviction.holds
        return status
    }

    /// The progress of running transfers.
    var liveTransfers: [JobID: LiveTransfer] { transfers.live }

    /// The jobs that someone looks at.
    var interests: [JobID: Interest] { attention.interests }

    /// The bytes to keep free on the documents' disk.
    var diskReserve: Int64 { bench.configuration.diskReserve }

    /// The number of requests about many jobs that aren't carried out yet.
    var bulkCount: Int { bulk.count }

    /// True if batches are still being accepted.
    var isTakingIn: Bool { bulk.intake.count > 0 }
}

extension EngineHold {
    /// The explanation that people get when the store's disk is full.
    static var fullDisk: EngineHold {
        let needed = (StoreRoom.reserveLength + StoreRoom.margin) >> 20
        var hold = EngineHold(
            kind: .disk,
            reason:
                "the disk that the job store is on is full: nothing new is begun until \(needed) MiB are free"
        )
        hold.isOfStore = true
        return hold
    }
}
