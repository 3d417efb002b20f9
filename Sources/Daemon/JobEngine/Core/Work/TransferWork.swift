import JobCore
import JobModel
import Vocabulary

/// Grants permits to the next jobs, and takes in the reports of their transfers.
struct TransferWork {
    private let bench: Workbench
    private var meters = TransferMeters()
    private var patience: PatienceWork
    /// Progress to publish, which is never stored.
    private var progress: [EventBus.Item] = []
    /// The free bytes on the documents' disk, determined once per turn; nil if not yet determined.
    private var freeBytes: Int64??
    /// True if the last turn left permits that it could have granted.
    private(set) var hasMore = false

    init(bench: Workbench) {
        self.bench = bench
        patience = PatienceWork(bench: bench)
    }

    /// The progress of running transfers.
    var live: [JobID: LiveTransfer] { meters.live }
    /// Their combined speed in bytes per second.
    var bytesPerSecond: Double { meters.bytesPerSecond }
    /// The bytes that all transfers have fetched so far.
    var receivedBytes: Int64 { meters.receivedBytes }

    /// Begins a turn, in which the free space must be determined again.
    mutating func beginTurn() { (freeBytes, hasMore) = (nil, false) }

    // MARK: - Permits

    /// Queues the jobs whose waiting time is over, so many of them; there may be very many at once.
    func takeDueRetries(atMost limit: Int = .max, now: Moment) throws(StoreFailure) {
        var handled = 0
        while handled < limit, let job = bench.queues.retries.popDue(now: now) {
            handled += 1
            guard let live = try bench.live(job) else { continue }
            // The job may have been steered since, and may be waiting for another time.
            let waits = live.machine.job
            guard let waiting = waits.waiting, waiting.until <= now else { continue }
            // In the queue it would go ahead of those that haven't been told to wait.
            if waits.toldOf.contains(.host), !waits.toldOf.contains(.otherHost),
                let turn = bench.queues.transfers.turnBehindOthers(at: waits.url.hostKey, now: now)
            {
                try bench.step(job, .goBehind(until: turn), now: now)
                continue
            }
            try bench.step(job, .retryDue, now: now)
        }
    }

    /// Grants free permits to the next jobs.
    ///
    /// Those that can't begin give them back at once, and there may be very many: after so many, the next turn goes on.
    mutating func grantPermits(atMost limit: Int = .max, now: Moment) throws(StoreFailure) {
        var handled = 0
        while true {
            guard handled < limit else {
                hasMore = true
                return
            }
            var granted: [JobID] = []
            while let job = bench.queues.transfers.next(now: now) { granted.append(job) }
            guard !granted.isEmpty else { return }
            handled += granted.count
            try bench.readAhead(of: granted)
            try bench.fetch(granted)
            for job in granted {
                guard let live = bench.jobs[job] else {
                    bench.queues.transfers.release(job)
                    continue
                }
                let length = believedLength(of: live.machine.job)
                let hasOwnRate = live.machine.job.rateLimit != nil
                bench.queues.transfers.begin(job, at: length ?? 0, hasOwnRate: hasOwnRate)
                if let maximum = bench.configuration.maximumSize, live.machine.job.isEvictable,
                    live.machine.job.totalBytes ?? 0 > EvictableDocuments.room(in: maximum)
                {
                    let refusal = Eviction.tooLong(live.machine.job, maximum)
                    try bench.step(job, .roomRefused(refusal), now: now)
                    continue
                }
                // A file for which there was no room isn't requested again until there is.
                if let needed = live.machine.job.roomToBegin(held: length ?? 0) {
                    if let refusal = roomRefusal(for: job, needing: needed) {
                        try bench.step(job, .roomRefused(refusal), now: now)
                        continue
                    }
                    // Nobody else of this turn counts on it.
                    freeBytes = freeBytes.map { $0.map { max(0, $0 - needed) } }
                }
                let permit = JobInput.permitGranted(
                    partialLength: length,
                    surviving: survivingSegments(of: live.machine.job),
                    boot: bench.configuration.boot
                )
                try bench.step(job, permit, now: now)
            }
        }
    }

    /// Has requests in hand given back to those that go before them, and stops a transfer that nobody looks at, if
    /// someone looks at a job that needs its permit.
    func giveWay(now: Moment) throws(StoreFailure) {
        let recalled = bench.queues.transfers.takeRecalls()
        // Those that have nothing yet go first.
        guard recalled.isEmpty else { return bench.recall(recalled) }
        let bench = bench
        let canGiveWay = { (job: JobID) in bench.jobs[job]?.machine.canGiveWay ?? false }
        if let displaced = bench.queues.transfers.displace(now: now, canGiveWay: canGiveWay) {
            try bench.step(displaced, .giveWay, now: now)
        }
        for surplus in bench.queues.transfers.surplus(now: now, canGiveWay: canGiveWay) {
            try bench.step(surplus, .giveWay, now: now)
        }
    }

    /// Stops all transfers, which keep their partials and go on when permits are granted again.
    func stopAll(now: Moment) throws(StoreFailure) {
        for job in bench.queues.transfers.activeJobs where bench.jobs[job]?.machine.isTransferring == true {
            try bench.step(job, .giveWay, now: now)
        }
    }

    /// Returns how much of a job's partial can be trusted.
    ///
    /// After a crash of the daemon alone, the kernel still has everything written; after a restart of
    /// the machine, only what was synced is certain.
    private func believedLength(of job: Job) -> Int64? {
        guard job.attempts > 0, let length = bench.ports.documents.partialLength(of: job.id) else {
            return nil
        }
        // A segment map only claims what was synced, so the length needs no check.
        if job.segments != nil { return length }
        if let boot = bench.configuration.boot, job.partialBoot == boot { return length }
        return min(length, job.durableBytes)
    }

    /// Returns what a partial with holes has that its map doesn't claim.
    private func survivingSegments(of job: Job) -> SegmentMap? {
        guard job.segments != nil, let total = job.totalBytes, let validator = job.validator else {
            return nil
        }
        return bench.ports.transfers.survivingSegments(
            of: job.id,
            at: bench.ports.documents.partialPath(of: job.id),
            total: total,
            validator: validator
        )
    }

    /// Returns why there is no room for the rest of a file that has begun to arrive; nil if there is.
    ///
    /// Whatever other transfers still need counts as used.
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

    /// The obstacles to beginning transfers that transfers themselves have met.
    var holds: [EngineHold] { patience.holds }

    /// The moment at which ``decide(now:)`` has something to decide.
    var decidesAt: Moment? { patience.decidesAt }

    /// Passes on the ends of transfers about which nobody knew whose fault they are, once somebody does.
    mutating func decide(now: Moment) throws(StoreFailure) {
        let bench = bench
        try patience.decide(now: now) { (report, job, fault) throws(StoreFailure) in
            try bench.step(job, .transfer(report, fault: fault), now: now)
        }
    }

    /// Handles a report of the transfer thread on one job; `isStorageHeld` says that it failed because nothing can
    /// be written now.
    mutating func handle(
        _ report: TransferReport,
        of job: JobID,
        isStorageHeld: Bool = false,
        now: Moment
    ) throws(StoreFailure) {
        if case .ended(.unsent) = report { return try bench.takeBack(job, now: now) }
        if case .requested(let host) = report {
            return bench.queues.transfers.hostAskedAgain(host, now: now)
        }
        if case .shared(let news) = report {
            guard let host = bench.jobs[job]?.machine.job.url.hostKey else { return }
            return bench.queues.transfers.hostShares(host, news)
        }
        // Whoever has to begin anew asks once more.
        if case .ended(.mustRestart) = report, let host = bench.jobs[job]?.machine.job.url.hostKey {
            bench.queues.transfers.hostAskedAgain(host, now: now)
        }
        if let news = meters.record(report, of: job, now: now), bench.ports.bus.listenerCount > 0,
            let live = bench.jobs[job]
        {
            progress.append(.progress(job, live.machine.job.batch, news))
        }
        if case .progressed(let bytes) = report { bench.queues.transfers.progress(job, to: bytes, now: now) }
        let fault = isStorageHeld ? .shared(seconds: 0) : patience.judge(report, of: job, now: now)
        try wakeRecovered(now: now)
        guard let fault else { return }
        try bench.step(job, .transfer(report, fault: fault), now: now)
        PartialFollowing(after: report, of: bench.jobs[job], rate: meters.rate(of: job, now: now))?
            .tell(bench.ports.documents, of: job)
        if case .began(let start) = report, let total = start.total,
            let failure = roomRefusal(for: job, needing: total - start.offset)
        {
            try bench.step(job, .roomRefused(failure), now: now)
        }
    }

    /// Ends the hold of a host before its time, as a person says: jobs that wait for it are queued again.
    mutating func release(_ host: String, now: Moment) throws(StoreFailure) {
        patience.forgive(host)
        try wakeRecovered(now: now)
        guard let told = bench.queues.transfers.releaseHost(host, now: now) else { return }
        bench.ports.transfers.release(host)
        // Those that wait until then may have been told so by it; earlier ones are anybody's, and are in memory or go
        // by themselves.
        let waiting = bench.queues.retries.jobs(through: told.upperBound)
            .filter { $0.until >= told.lowerBound || bench.jobs[$0.job] != nil }
        try bench.fetch(waiting.map(\.job).filter { !bench.ledger.isForgotten($0) })
        for (job, time) in waiting {
            guard let waits = try bench.live(job)?.job, waits.state == .waiting, waits.waiting?.until == time,
                waits.toldOf.contains(.host),
                waits.toldOf.contains(.otherHost) ? told.contains(time) : waits.url.hostKey == host
            else { continue }
            try bench.step(job, .retryDue, now: now)
        }
    }

    /// Queues the jobs whose turn would come late because their host has failed, and that has answered since.
    private mutating func wakeRecovered(now: Moment) throws(StoreFailure) {
        for job in patience.popRecovered() {
            guard let waits = try bench.live(job)?.job, waits.state == .waiting,
                !waits.waitsForOthers
            else { continue }
            try bench.step(job, .retryDue, now: now)
        }
    }

    /// Publishes the progress of transfers.
    mutating func emitProgress() {
        guard !progress.isEmpty else { return }
        bench.ports.bus.publish(progress)
        progress = []
    }

    /// Syncs partials when the daemon stops and no transfer is running any more, so that a reboot loses
    /// nothing.
    func settle(now: Moment) throws(StoreFailure) {
        for job in bench.jobs.ids(in: .downloading) {
            guard let length = bench.ports.documents.syncNow(job) else { continue }
            try bench.step(job, .settled(length: length), now: now)
        }
    }
}
