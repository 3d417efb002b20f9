import JobCore

extension EngineCore {
    /// Gives a job one input, and takes in what its machine decides.
    ///
    /// Returns the job after, nil when there is no such job; with why the input was not possible.
    @discardableResult
    func step(
        _ job: JobID,
        _ input: JobInput,
        now: Moment
    ) throws(StoreFailure) -> (live: LiveJob, refusal: String?)? {
        guard let live = try live(job) else { return nil }
        let before = live.machine.job.state
        var decision = JobDecision()
        live.machine.handle(
            input,
            now: now,
            retry: configuration.retry,
            using: &generator,
            into: &decision
        )
        pending.touched.insert(job)
        let after = live.machine.job.state
        if before != after {
            counts[before, default: 0] -= 1
            counts[after, default: 0] += 1
        }
        // With the disk full, nothing is begun that could wait.
        let isHeld = decision.canWait && commitRetryAt == nil && pending.changed[job] == nil
        if isHeld {
            hold(decision.events, of: live, now: now)
        } else if decision.isDirty {
            write(decision.events, of: live, now: now)
        }
        for move in decision.moves { try carryOut(move, for: live.machine.job, now: now) }
        for deed in decision.deeds {
            carryOut(deed, for: live.machine.job, atOnce: isHeld && !isAccepting(job))
        }
        return (live, decision.refusal)
    }

    /// A job at hand, or from the store.
    func live(_ job: JobID) throws(StoreFailure) -> LiveJob? {
        if let live = machines[job] { return live }
        var stored = readAhead.removeValue(forKey: job)
        if stored == nil { stored = try ports.store.jobs([job]).first }
        guard let stored else { return nil }
        return load(stored)
    }

    /// Fetches machines that are going to be needed, in one read.
    func loadMachines(_ jobs: [JobID]) throws(StoreFailure) {
        var missing: [JobID] = []
        for job in jobs where machines[job] == nil {
            // A job that this very turn accepts is not in the store yet.
            if let new = pending.newJob(job) {
                load(new)
            } else if let stored = readAhead.removeValue(forKey: job) {
                load(stored)
            } else {
                missing.append(job)
            }
        }
        for job in try ports.store.jobs(missing) { load(job) }
    }

    /// Reads the jobs that are to be fetched soon, when the next of them is not at hand: a read
    /// for each would take as long as writing it.
    func readAhead(of granted: [JobID]) throws(StoreFailure) {
        guard let last = granted.last, machines[last] == nil, readAhead[last] == nil else { return }
        let following = (1...Self.readAheadCount).map { JobID(rawValue: last.rawValue + $0) }
        let wanted = granted.filter { machines[$0] == nil } + following.filter(queue.isQueued)
        readAhead = [:]
        for job in try ports.store.jobs(wanted) where machines[job.id] == nil { readAhead[job.id] = job }
    }

    @discardableResult
    private func load(_ job: Job) -> LiveJob {
        let live = LiveJob(job)
        machines[job.id] = live
        pending.touched.insert(job.id)
        return live
    }

    /// Moves a job in the engine's own queues.
    private func carryOut(_ move: QueueMove, for job: Job, now: Moment) throws(StoreFailure) {
        switch move {
        case .enqueueTransfer: queue.enqueue(job.id, host: job.url.hostKey, priority: job.priority)
        case .dequeueTransfer: queue.remove(job.id)
        case .releaseSlot: queue.release(job.id)
        case .wake(let until): timers.insert(RetryTimer(until: until, job: job.id))
        case .enqueueDetection:
            // The daemon has ended before, while it was looked at.
            gate.enqueue(job.id, mark: Self.mark(of: job), alone: job.detectionAttempts > 0)
            if !gate.isOpen { try step(job.id, .detectionDeferred, now: now) }
        case .dequeueDetection: gate.remove(job.id)
        }
    }

    /// What concerns the outside waits for the commit, except where nothing rests on that.
    private func carryOut(_ deed: JobDeed, for job: Job, atOnce: Bool) {
        switch deed {
        case .lookAgain:
            guard let path = job.path else { return }
            let engine = job.detectionDemand?.engine
            pending.detections.append(DetectionRequest(job: job.id, path: path, engine: engine))
        case .startTransfer(let resume):
            // An earlier transfer has ended, or there would be no other: a stop that was meant for it is void.
            if job.attempts > 1 { pending.deeds.removeAll { $0.0 == job.id && $0.1 == .stopTransfer } }
            let request = TransferRequest(
                job: job.id,
                url: job.url,
                partialPath: ports.documents.partialPath(of: job.id),
                resume: resume,
                headers: job.headers,
                rateLimit: job.rateLimit
            )
            if atOnce { earlyTransfers.append(request) } else { pending.transfers.append(request) }
        case .seal(let name, let mustHash) where atOnce:
            ports.documents.seal(job.id, wantedName: name, mustHash: mustHash)
        case .seal, .hash, .publish, .confirmTransfer, .stopTransfer, .syncPartial, .discardPartial,
            .withdrawDetection:
            pending.deeds.append((job.id, deed))
        }
    }
}
