import JobCore

/// Gives permits to the jobs that are next, and takes in what their transfers tell.
struct TransferWork {
    private let bench: Workbench
    private var meters = TransferMeters()
    /// Progress to tell listeners; not durable.
    private var progress: [EventBus.Item] = []
    /// Free bytes where the documents are, asked for once a turn; nil when not asked yet.
    private var freeBytes: Int64??

    /// Bytes from which on it is worth hashing a partial while it grows.
    static let followedLength: Int64 = 8 << 20
    /// Bytes a second up to which it is: what a processor without instructions for SHA-256 hashes.
    ///
    /// With what is faster it would not keep up, and would take memory bandwidth from a transfer that
    /// everybody waits for; on the hash only detectors wait.
    static let followedRate = 250e6

    init(bench: Workbench) { self.bench = bench }

    /// How far the transfers under way are.
    var live: [JobID: LiveTransfer] { meters.live }
    /// What they fetch together, in bytes a second.
    var bytesPerSecond: Double { meters.bytesPerSecond }
    /// What all transfers have fetched so far.
    var receivedBytes: Int64 { meters.receivedBytes }

    /// A turn begins: what was known of the disk may have changed.
    mutating func beginTurn() { freeBytes = nil }

    // MARK: - Permits

    /// Puts jobs whose time has come back into the queue.
    func takeDueRetries(now: Moment) throws(StoreFailure) {
        while let job = bench.queues.retries.popDue(now: now) {
            guard let live = try bench.live(job) else { continue }
            // The job may have been steered away, and may wait for another time since.
            guard let waiting = live.machine.job.waiting, waiting.until <= now else { continue }
            try bench.step(job, .retryDue, now: now)
        }
    }

    /// Gives free permits to the jobs that are next.
    mutating func grantPermits(now: Moment) throws(StoreFailure) {
        while true {
            var granted: [JobID] = []
            while let job = bench.queues.transfers.next() { granted.append(job) }
            guard !granted.isEmpty else { return }
            try bench.readAhead(of: granted)
            try bench.fetch(granted)
            for job in granted {
                guard let live = bench.jobs[job] else {
                    bench.queues.transfers.release(job)
                    continue
                }
                let length = believedLength(of: live.machine.job)
                // A file that had no room is not asked for before it has.
                if let needed = live.machine.job.neededRoom(held: length ?? 0),
                    let refusal = roomRefusal(for: job, needing: needed)
                {
                    try bench.step(job, .roomRefused(refusal), now: now)
                    continue
                }
                let boot = bench.configuration.boot
                try bench.step(job, .permitGranted(partialLength: length, boot: boot), now: now)
            }
        }
    }

    /// How much of a job's partial can be gone on with.
    ///
    /// After a mere crash of the daemon the kernel still has all that was
    /// written; after a restart of the machine only what was synced is sure.
    private func believedLength(of job: Job) -> Int64? {
        guard job.attempts > 0, let length = bench.ports.documents.partialLength(of: job.id) else {
            return nil
        }
        // A map of segments claims only what was synced, whatever the length says.
        if job.segments != nil { return length }
        if let boot = bench.configuration.boot, job.partialBoot == boot { return length }
        return min(length, job.durableBytes)
    }

    /// Why the rest of a file that begins to arrive has no room; nil when it has.
    ///
    /// What the other transfers still need is taken as used.
    private mutating func roomRefusal(for job: JobID, needing needed: Int64) -> JobFailure? {
        if freeBytes == nil { freeBytes = .some(bench.ports.documents.freeBytes()) }
        guard let free = freeBytes ?? nil else { return nil }
        let room = DiskRoom(
            free: free,
            promised: meters.expectedBytes(besides: job),
            reserve: bench.configuration.diskReserve
        )
        return room.refusal(needing: needed)
    }

    // MARK: - Reports

    /// Takes what the transfer thread tells of one job.
    mutating func take(_ report: TransferReport, of job: JobID, now: Moment) throws(StoreFailure) {
        if let news = meters.take(report, of: job, now: now), bench.ports.bus.listenerCount > 0,
            let live = bench.jobs[job]
        {
            progress.append(.progress(job, live.machine.job.batch, news))
        }
        try bench.step(job, .transfer(report, counts: counts(report, of: job)), now: now)
        follow(job, report, now: now)
        if case .began(let start) = report, let total = start.total,
            let failure = roomRefusal(for: job, needing: total - start.offset)
        {
            try bench.step(job, .roomRefused(failure), now: now)
        }
    }

    /// Whether the end of a try counts towards giving a job up: not while the
    /// machine has no way to anywhere, except to itself.
    private func counts(_ report: TransferReport, of job: JobID) -> Bool {
        guard case .ended(.interrupted) = report, let host = bench.jobs[job]?.machine.job.url.host else {
            return true
        }
        let isIPv4 = host.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
        let isLoopback = host == "localhost" || host == "::1" || isIPv4 && host.hasPrefix("127.")
        return isLoopback || bench.configuration.hasDefaultRoute()
    }

    /// Lets the document store hash what has arrived of a large file while the rest arrives.
    ///
    /// Nothing is told by it, so that it need not wait for the commit.
    private func follow(_ job: JobID, _ report: TransferReport, now: Moment) {
        let documents = bench.ports.documents
        switch report {
        case .began(let start):
            let prefix = bench.jobs[job]?.machine.job.segments?.prefix
            documents.partialBegins(job, at: start.mode == .resumed ? prefix ?? start.offset : 0)
        case .progressed, .kept:
            guard let live = bench.jobs[job], case .transferring = live.machine.activity else { return }
            if let rate = meters.rate(of: job, now: now), rate > Self.followedRate { return }
            let prefix = live.machine.job.segments?.prefix ?? live.machine.job.bytes
            if prefix >= Self.followedLength { documents.partialGrew(job, to: prefix) }
        case .restarting, .synced, .ended: break
        }
    }

    /// Tells listeners how far transfers have come.
    mutating func tellProgress() {
        guard !progress.isEmpty else { return }
        bench.ports.bus.publish(progress)
        progress = []
    }

    /// Before the daemon goes down, with no transfer under way any more: makes what the partials hold
    /// durable, so that a reboot costs nothing.
    func settle(now: Moment) throws(StoreFailure) {
        for job in bench.jobs.ids(in: .downloading) {
            guard let length = bench.ports.documents.syncNow(job) else { continue }
            try bench.step(job, .settled(length: length), now: now)
        }
    }
}
