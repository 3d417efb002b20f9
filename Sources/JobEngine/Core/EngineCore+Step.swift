import JobCore

extension EngineCore {
    /// Gives a job one input, and takes in what its machine decides.
    ///
    /// Returns the machine after, nil when there is no such job; with why the input was not
    /// possible.
    @discardableResult
    func step(
        _ job: JobID,
        _ input: JobInput,
        now: Timestamp
    ) throws(StoreFailure) -> (machine: JobMachine, refusal: String?)? {
        guard var machine = try machine(job) else { return nil }
        let before = machine.job.state
        var decision = JobDecision()
        machine.handle(
            input,
            now: now,
            retry: configuration.retry,
            using: &generator,
            into: &decision
        )
        machines[job] = machine
        pending.touched.insert(job)
        if before != machine.job.state {
            counts[before, default: 0] -= 1
            counts[machine.job.state, default: 0] += 1
        }
        for kind in decision.events { tell(kind, of: machine.job, now: now) }
        if decision.isDirty { pending.changed[job] = machine.job }
        for action in decision.actions { try carryOut(action, for: machine, now: now) }
        return (machines[job] ?? machine, decision.refusal)
    }

    /// The machine of a job: at hand, or from the store.
    func machine(_ job: JobID) throws(StoreFailure) -> JobMachine? {
        if let machine = machines[job] { return machine }
        var stored = readAhead.removeValue(forKey: job)
        if stored == nil { stored = try ports.store.jobs([job]).first }
        guard let stored else { return nil }
        let machine = JobMachine(job: stored)
        machines[job] = machine
        pending.touched.insert(job)
        return machine
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

    private func load(_ job: Job) {
        machines[job.id] = JobMachine(job: job)
        pending.touched.insert(job.id)
    }

    private func tell(_ kind: JobEvent.Kind, of job: Job, now: Timestamp) {
        pending.changes.events.append(
            JobEvent(
                id: nextEvent,
                time: now,
                batchCreatedAt: job.createdAt,
                batch: job.batch,
                job: job.id,
                kind: kind
            )
        )
        nextEvent += 1
    }

    /// What concerns the engine's own queues happens at once; what concerns
    /// the outside waits for the commit.
    private func carryOut(
        _ action: JobAction,
        for machine: JobMachine,
        now: Timestamp
    ) throws(StoreFailure) {
        let job = machine.job
        switch action {
        case .enqueueTransfer: queue.enqueue(job.id, host: job.url.hostKey, priority: job.priority)
        case .dequeueTransfer: queue.remove(job.id)
        case .releaseSlot: queue.release(job.id)
        case .wake(let until): timers.insert(RetryTimer(until: until, job: job.id))
        case .enqueueDetection:
            gate.enqueue(job.id)
            if !gate.isOpen { try step(job.id, .detectionDeferred, now: now) }
        case .withdrawDetection:
            gate.remove(job.id)
            pending.deeds.append((job.id, action))
        case .startTransfer(let resume):
            // An earlier transfer has ended, or there would be no other: a stop that was meant for it is void.
            pending.deeds.removeAll { $0.0 == job.id && $0.1 == .stopTransfer }
            pending.transfers.append(
                TransferRequest(
                    job: job.id,
                    url: job.url,
                    partialPath: ports.documents.partialPath(of: job.id),
                    resume: resume,
                    headers: job.headers,
                    rateLimit: job.rateLimit
                )
            )
        case .seal, .publish, .splitTransfer, .stopTransfer, .syncPartial, .discardPartial:
            pending.deeds.append((job.id, action))
        }
    }
}
