import JobCore

extension EngineCore {
    /// Takes up what was left when the daemon ended.
    func takeUp(_ stored: StoredState, now: Moment) {
        nextJob = stored.lastJob + 1
        nextBatch = stored.lastBatch + 1
        nextEvent = stored.lastEvent + 1
        counts = stored.jobsByState
        for job in stored.queued { queue.enqueue(job.id, host: job.host, priority: job.priority) }
        for job in stored.broken {
            guard let failure = job.failure else { continue }
            let live = LiveJob(job)
            machines[job.id] = live
            pending.touched.insert(job.id)
            write([.failed(url: job.url.masked, failure: failure)], of: live, now: now)
        }
        for job in stored.unfinished {
            if machines[job.id] == nil { machines[job.id] = LiveJob(job) }
            let publication = job.reservation.map { ports.documents.publication(of: job.id, $0) }
            // The machine is at hand, so the store is not asked and can't fail.
            _ = try? step(job.id, .recovered(publication), now: now)
        }
    }

    /// Puts jobs whose time has come back into the queue.
    func takeDueTimers(now: Moment) throws(StoreFailure) {
        while let timer = timers.first, timer.until <= now {
            _ = timers.popFirst()
            guard let live = try live(timer.job) else { continue }
            // The job may have been steered away, and may wait for another time since.
            guard let waiting = live.job.waiting, waiting.until <= now else { continue }
            try step(timer.job, .retryDue, now: now)
        }
    }

    /// Gives free slots to the jobs that are next.
    func grantSlots(now: Moment) throws(StoreFailure) {
        while true {
            var granted: [JobID] = []
            while let job = queue.next() { granted.append(job) }
            guard !granted.isEmpty else { return }
            try readAhead(of: granted)
            try loadMachines(granted)
            for job in granted {
                guard let live = machines[job] else {
                    queue.release(job)
                    continue
                }
                let length = believedLength(of: live.machine.job)
                // A file that had no room is not asked for before it has.
                if let needed = live.machine.job.neededRoom(held: length ?? 0),
                    let refusal = roomRefusal(for: job, needing: needed)
                {
                    try step(job, .roomRefused(refusal), now: now)
                    continue
                }
                try step(job, .slotGranted(partialLength: length, boot: configuration.boot), now: now)
            }
        }
    }

    /// How much of a job's partial can be gone on with.
    ///
    /// After a mere crash of the daemon the kernel still has all that was
    /// written; after a restart of the machine only what was synced is sure.
    private func believedLength(of job: Job) -> Int64? {
        guard job.attempts > 0, let length = ports.documents.partialLength(of: job.id) else { return nil }
        // A map of segments claims only what was synced, whatever the length says.
        if job.segments != nil { return length }
        if let boot = configuration.boot, job.partialBoot == boot { return length }
        return min(length, job.durableBytes)
    }

    /// Why the rest of a file that begins to arrive has no room; nil when it has.
    ///
    /// What the other transfers still need is taken as used.
    func roomRefusal(for job: JobID, needing needed: Int64) -> JobFailure? {
        if freeBytes == nil { freeBytes = .some(ports.documents.freeBytes()) }
        guard let free = freeBytes ?? nil else { return nil }
        let others = meters.reduce(Int64(0)) { sum, entry in
            guard entry.key != job, let total = entry.value.total else { return sum }
            return sum.saturatingAdd(max(0, total - entry.value.bytes))
        }
        let room = DiskRoom(free: free, promised: others, reserve: configuration.diskReserve)
        return room.refusal(needing: needed)
    }

    /// Whether the end of a try counts towards giving a job up: not while the
    /// machine has no way to anywhere, except to itself.
    func counts(_ report: TransferReport, of job: JobID) -> Bool {
        guard case .ended(.interrupted) = report, let host = machines[job]?.machine.job.url.host else {
            return true
        }
        let isIPv4 = host.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
        let isLoopback = host == "localhost" || host == "::1" || isIPv4 && host.hasPrefix("127.")
        return isLoopback || configuration.hasDefaultRoute()
    }

    /// Before the daemon goes down, with no transfer under way any more:
    /// makes what the partials hold durable, so that a reboot costs nothing.
    func settle(now: Moment) throws(StoreFailure) {
        for (job, live) in machines where live.machine.job.state == .downloading {
            guard let length = ports.documents.syncNow(job) else { continue }
            try step(job, .settled(length: length), now: now)
        }
        // What their detectors were at is no fault of theirs.
        for (job, live) in machines where live.machine.job.state == .detecting {
            try step(job, .detectionInterrupted, now: now)
        }
        releaseHeld(now: now, all: true)
        keepClock(now: now, atOnce: true)
        try commit(now: now)
    }

    /// Keeps count of how fast a transfer is.
    func meter(_ job: JobID, _ report: TransferReport, now: Moment) {
        switch report {
        case .began(let start):
            meters[job] = TransferMeter(bytes: start.offset, total: start.total, now: now)
        case .progressed(let bytes):
            guard var meter = meters[job] else { return }
            receivedBytes += max(0, bytes - meter.bytes)
            let isWorthTelling = meter.update(bytes: bytes, now: now)
            meters[job] = meter
            if isWorthTelling, ports.bus.listenerCount > 0, let live = machines[job] {
                progress.append(.progress(job, live.machine.job.batch, meter.live))
            }
        case .restarting, .kept, .synced: break
        case .ended(let end):
            let meter = meters.removeValue(forKey: job)
            // What is small is there before anyone has told how far it is.
            if case .completed(let length, _) = end { receivedBytes += max(0, length - (meter?.bytes ?? 0)) }
        }
    }

    /// Bytes from which on it is worth hashing a partial while it grows.
    static let followedLength: Int64 = 8 << 20
    /// Bytes a second up to which it is: what a processor without instructions for SHA-256 hashes.
    ///
    /// With what is faster it would not keep up, and would take memory bandwidth from a transfer that
    /// everybody waits for; on the hash only detectors wait.
    static let followedRate = 250e6

    /// Lets the document store hash what has arrived of a large file while the rest arrives.
    ///
    /// Nothing is told by it, so that it need not wait for the commit.
    func follow(_ job: JobID, _ report: TransferReport, now: Moment) {
        switch report {
        case .began(let start):
            let held = start.mode == .resumed ? machines[job]?.job.segments?.prefix ?? start.offset : 0
            ports.documents.partialBegins(job, at: held)
        case .progressed, .kept:
            guard let machine = machines[job]?.machine, case .transferring = machine.activity else { return }
            if let meter = meters[job], meter.rate(now: now) > Self.followedRate { return }
            let prefix = machine.job.segments?.prefix ?? machine.job.bytes
            if prefix >= Self.followedLength { ports.documents.partialGrew(job, to: prefix) }
        case .restarting, .synced, .ended: break
        }
    }
}
