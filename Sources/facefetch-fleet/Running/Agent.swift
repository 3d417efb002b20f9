import FleetCore
import FleetQueue
import Glibc

/// One node's part in the fleet: takes work from the queue for its daemon, and reports what becomes of it.
///
/// Everything happens on one thread, and every call to the database and the daemon ends in time. What is to be
/// done is decided by FleetCore; what a crash at any point leaves is found again in the database and the
/// daemon.
final class Agent {
    let settings: FleetSettings
    let daemon: DaemonClient
    var queue: FleetQueue?
    var node: FleetQueue.Node?
    var lease: NodeLease
    var slices = Slices()
    var shares: FleetQueue.Shares?
    var figures = AgentFigures()
    private var plan: ClaimPlan
    private var retryAt: Duration = .zero
    var isClosed = false
    /// The daemon's endings that have been read and are still to be dealt with.
    var window = ReportWindow(behind: 0)
    /// The uploader of documents, if they are in a bucket.
    let uploader: Uploader?
    /// A document that the daemon has put elsewhere than into the shared folder.
    private var misplaced: String?
    /// The number of endings that are reported at once.
    private var reportSize = ReportSize()
    /// True if endings may have been forgotten that nobody has read.
    var mayLack = true
    private var tidiedAt: Duration = .zero
    /// The time when the node last looked for batches that it needn't keep any longer.
    private var lookedForKeptAt: Duration = .zero
    /// The time when the node last asked what is still its own, and whether it has heard of something since.
    var askedAt: Duration = .zero
    var hasHeard = false
    /// The time when the figures were written.
    var writtenAt: Duration = .zero
    /// Since when buckets wait to be empty.
    var drainingSince: Duration?
    private var troubles: [String: Duration] = [:]
    /// The node's health, by what its jobs end in.
    var health = NodeHealth()
    /// Since when the daemon doesn't answer; nil while it does.
    private var awaySince: Duration?
    /// The reason why the node rests; nil if it doesn't.
    private var restReason: String?

    /// Creates an agent, which connects when it runs.
    ///
    /// - Throws: ``DaemonError``
    init(_ settings: FleetSettings) throws(DaemonError) {
        // Before there are threads, which inherit it.
        Signals.hold()
        self.settings = settings
        lease = NodeLease(settings.timing)
        plan = ClaimPlan(slice: settings.slice)
        uploader = settings.bucket.map { Uploader($0) }
        daemon = try DaemonClient(
            socket: settings.socket,
            timeout: Int(settings.timing.patience.components.seconds)
        )
    }

    /// The time since the machine's start, in which it slept or not.
    var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The time for which the agent waits for news.
    private static let tick = Duration.milliseconds(100)
    /// The time that jobs may take to end when the agent stops.
    private static let drainTime = Duration.seconds(5)
    /// The interval at which a node looks for batches that it needn't keep any longer.
    private static let keptInterval = Duration.seconds(600)
    /// The time to wait after trouble with the database.
    private static let pause = Duration.seconds(1)

    /// Works until a signal asks it to stop.
    ///
    /// - Throws: ``FleetFailure`` where going on makes no sense.
    func run() throws(FleetFailure) {
        defer { uploader?.stop() }
        Output.note("node \(settings.node) begins")
        while !Signals.hasCome {
            try step()
            try checkIsAlone()
            try checkPlace()
            wait()
        }
        try drain()
        Output.note("node \(settings.node) has given back all that it had")
    }

    /// Does once what there is to do.
    func step() throws(FleetFailure) {
        do {
            try connect()
            try renew()
        } catch { try trouble(error) }
        // Whatever the database says, or doesn't.
        keepDaemon()
        writeFigures()
        do { try leaveWithoutDaemon() } catch { try trouble(error) }
        guard queue != nil, node != nil else { return }
        do {
            try claim()
            post()
            try withdraw()
            try report()
            try tidy()
        } catch { try trouble(error) }
    }

    // MARK: - The database

    private func connect() throws(FleetQueueError) {
        guard queue == nil || node == nil, now >= retryAt else { return }
        retryAt = now + Self.pause
        let queue: FleetQueue
        if let known = self.queue {
            queue = known
        } else {
            queue = try FleetQueue(
                settings.database,
                schema: settings.schema,
                patience: settings.timing.patience
            )
            try queue.listen()
            self.queue = queue
            // What was asked last may have been done, or be done yet, and nobody has heard of it: a claim whose
            // jobs wait for this node, say. A new incarnation fences what comes late, and finds what was done.
            if !isClosed { node = nil }
        }
        guard node == nil else { return }
        // Without a daemon there is nothing to register: others may have the work.
        let (store, newest): (String, Int64)
        do { (store, newest) = (try daemon.store(), try daemon.newestEnding()) } catch {
            return daemonTrouble(error)
        }
        let sent = now
        let node = try queue.register(
            name: settings.node,
            store: store,
            newest: newest,
            timing: settings.timing
        )
        lease.renewed(sentAt: sent)
        if node.isRewound {
            Output.note(
                "the daemon's state is older than what has been reported of it, so it was restored from a copy: its "
                    + "endings are read from the beginning"
            )
        }
        let held: [ClaimedItem]
        do {
            held = try queue.held(by: node)
            if let restReason { try queue.rest(node, because: restReason) }
        } catch {
            self.node = nil
            throw error
        }
        (self.node, shares, window) = (node, nil, ReportWindow(behind: node.event))
        mayLack = true
        let isFirst = slices.count == 0
        // As after a restart: the daemon knows each slice by its key.
        slices = Slices()
        slices.add(held, mayBeThere: true)
        if isFirst, !held.isEmpty { Output.note("goes on with \(held.count) jobs of an earlier run") }
        findAbandoned()
    }

    private func renew() throws(FleetQueueError) {
        guard let queue, let node, lease.wantsRenewal(at: now) || shares == nil else { return }
        let sent = now
        switch try queue.beat(
            node,
            timing: settings.timing,
            buries: lease.mayBury(at: now),
            expecting: lease.databaseTime(at: now)
        ) {
        case .renewed(let shares):
            lease.renewed(sentAt: sent)
            lease.database(shares.time, sentAt: sent)
            self.shares = shares
            drainingSince = shares.draining == 0 ? nil : drainingSince ?? now
            guard !isClosed, try !rests(queue, node) else { return }
            switch BucketShare.change(nodes: shares.nodes, mine: shares.mine, free: shares.free) {
            case .none: break
            case .take(let count):
                self.shares?.mine += try queue.claimBuckets(count, for: node)
                plan.heard()
            case .drain(let count):
                try queue.drain(count, of: node)
                self.shares?.mine -= count
            }
        case .dead: fenced()
        case .replaced: isReplaced = true
        }
    }

    /// Gives all buckets up while the node fails nearly everything; returns whether it does.
    private func rests(_ queue: FleetQueue, _ node: FleetQueue.Node) throws(FleetQueueError) -> Bool {
        if health.wakes(at: now) {
            Output.note("the node works again, to see whether it still fails")
            restReason = nil
            try queue.rest(node, because: nil)
        }
        if health.asks(at: now) {
            let others = try queue.others(than: node)
            if let reason = health.judge(others: others.ended, failed: others.failed, at: now) {
                restReason = reason
                try queue.rest(node, because: reason)
                Output.note("the node gives its buckets up for a while: \(reason)")
            }
        }
        guard health.restsUntil != nil else { return false }
        try queue.drain(BucketShare.buckets, of: node)
        shares?.mine = 0
        return true
    }

    /// Gives all back when the daemon hasn't answered for two leases: what it has lapses there by itself.
    private func leaveWithoutDaemon() throws(FleetQueueError) {
        guard daemon.isAway else { return awaySince = nil }
        let since = awaySince ?? now
        awaySince = since
        guard let queue, let node, !isClosed, now - since > settings.timing.lease * 2 else { return }
        // It may not have been asked for as long.
        guard (try? daemon.store()) == nil else { return awaySince = nil }
        let reason = "its daemon doesn't answer"
        try queue.rest(node, because: reason)
        try queue.leave(node)
        Output.note("the node gives back all that it had, since \(reason)")
        figures.returned += slices.count
        slices.abandonAll()
        self.node = nil
    }

    /// True if another agent runs under the node's name.
    private var isReplaced = false

    /// Goes on under a new incarnation, since others own what the node held.
    private func fenced() {
        Output.note("others have taken over what this node had; it starts again under a new incarnation")
        figures.fenced += 1
        lease.lost()
        slices.abandonAll()
        node = nil
        retryAt = .zero
    }

    /// Gives up a connection of which nothing is known, and reports the trouble.
    private func trouble(_ error: FleetQueueError) throws(FleetFailure) {
        switch error.kind {
        case .refused(let code) where code == "42P01" || code == "3F000": throw FleetFailure(error)
        case .otherVersion: throw FleetFailure(error)
        case .refused, .unreachable: break
        }
        note("database", error.description)
        figures.databaseFailures += 1
        queue = nil
        retryAt = now + Self.pause
    }

    /// Tells of trouble, the same at most once a minute.
    func note(_ part: String, _ words: String) {
        let line = "\(part): \(words)"
        if let told = troubles[line], now - told < .seconds(60) { return }
        if troubles.count > 100 { troubles = [:] }
        troubles[line] = now
        Output.note(line)
    }

    /// Tells of trouble with the daemon, which may have to be told again what it may do.
    func daemonTrouble(_ error: DaemonError) {
        note("daemon", error.words)
        figures.daemonFailures += 1
        guard case .unreachable = error else { return }
        for token in slices.posted.keys { slices.posted[token]?.renewedAt = nil }
    }

    // MARK: - Work

    private func claim() throws(FleetQueueError) {
        guard let queue, let node, let shares else { return }
        if try queue.hasNews() {
            plan.heard()
            hasHeard = true
        }
        let situation = ClaimPlan.Situation(
            standing: lease.standing(at: now),
            held: slices.count - slices.waitingCount,
            waiting: slices.waitingCount,
            holdsAlone: slices.holds { $0 == .alone },
            holdsGroup: slices.holds { if case .grouped = $0 { true } else { false } },
            suspects: shares.suspects,
            buckets: shares.mine,
            // One slice at a time is on its way to the daemon.
            isClosed: isClosed || health.restsUntil != nil || !slices.unposted.isEmpty
        )
        guard let claim = plan.claim(situation, at: now) else { return }
        let sent = now
        guard
            let items = try queue.claim(
                claim,
                holding: slices.perBucket,
                for: node,
                timing: settings.timing
            )
        else { return fenced() }
        lease.renewed(sentAt: sent, byClaim: true)
        figures.claims.add(now - sent)
        figures.claimed += items.count
        slices.add(items, mayBeThere: false)
        plan.claimed(items.count, of: claim, at: now)
        // The next renewal says whether there are others.
        if case .suspects(let blame, let jobs) = claim, items.count < jobs {
            self.shares?.suspects.remove(blame)
        }
    }

    /// Reads what the daemon says has ended, reports it, and removes documents that no record names.
    private func report() throws(FleetQueueError) {
        guard let queue, let node, slices.count > 0 || !slices.abandoned.isEmpty || !window.isEmpty else {
            return
        }
        var hasMore = true
        while hasMore {
            hasMore = false
            if window.hasRoom {
                let page: DaemonClient.Endings
                do { page = try daemon.endings(after: window.read) } catch { return daemonTrouble(error) }
                // The daemon has another store, which counts anew.
                if page.newest < window.read { return self.node = nil }
                // Somebody has forgotten jobs before their endings were read.
                if let oldest = page.oldest, oldest > window.read { mayLack = true }
                window.accept(page.endings, through: page.last) { isUploaded($0) }
                hasMore = page.hasMore && !lease.wantsRenewal(at: now)
            }
            upload()
            let endings = window.ready(atMost: reportSize.count, at: now)
            guard !endings.isEmpty, !isMisplaced(endings) else { continue }
            // Where documents are elsewhere, one that isn't this node's any more hasn't been brought there.
            let reported = settings.place.keepsLocalCopy ? endings : endings.filter { slices.holds($0.job) }
            guard let recorded = reported.isEmpty ? [] : try record(reported, queue, node) else { return }
            do throws(DaemonError) {
                for ending in ReportPlan.leftovers(of: endings, recorded: recorded, in: settings.place) {
                    try daemon.removeDocument(of: ending.local)
                }
            } catch {
                // They are reported again: that may be repeated.
                return daemonTrouble(error)
            }
            window.finish(endings)
            for ending in endings {
                if recorded.contains(ending.job), let bucket = slices.bucket(of: ending.job),
                    ending.state != .cancelled
                {
                    health.ended(
                        bucket: bucket,
                        code: ending.state == .failed ? ending.code ?? "unknown" : nil
                    )
                }
                guard let batch = slices.drop(ending.job) else { continue }
                forget(batch)
            }
            if !lease.wantsRenewal(at: now), !window.ready(atMost: 1, at: now).isEmpty { hasMore = true }
        }
        if mayLack { try returnForgotten() }
    }

    /// Records endings; nil if the database has refused them, and they are to be reported again.
    ///
    /// What has been read until then is noted with them, and not yet they themselves: after a crash they come
    /// again, and with them the documents that have to go.
    private func record(
        _ endings: [FleetEnding],
        _ queue: FleetQueue,
        _ node: FleetQueue.Node
    ) throws(FleetQueueError) -> Set<FleetJob>? {
        let spares = { [slices, isClosed] job in isClosed || slices.returning.contains(job) }
        var plan = ReportPlan(endings, in: settings.place, spares: spares)
        while true {
            do {
                let sent = now
                let recorded = try queue.report(plan, through: window.through, by: node)
                figures.reports.add(now - sent)
                figures.add(plan, recorded: recorded)
                reportSize.succeeded()
                return recorded
            } catch {
                guard case .refused(let code) = error.kind else {
                    _ = reportSize.refused(code: nil, reported: endings.count)
                    throw error
                }
                note("database", error.description)
                figures.databaseFailures += 1
                switch reportSize.refused(code: code, reported: endings.count) {
                case .strip where !plan.isBare: plan.strip()
                case .fewer: return nil
                case .strip, .later:
                    for ending in endings { window.postpone(ending, until: now + ReportSize.wait) }
                    return nil
                }
            }
        }
    }

    /// Now and then looks for slices of which the daemon knows nothing more.
    private func tidy() throws(FleetQueueError) {
        guard now - tidiedAt > settings.timing.heartbeat else { return }
        tidiedAt = now
        if let queue, let node, !slices.finished.isEmpty {
            try queue.finish(slices.finished, of: node)
            slices.finished = []
        }
        if settings.keep != nil, now - lookedForKeptAt > Self.keptInterval {
            lookedForKeptAt = now
            findAbandoned()
        }
        forgetAbandoned()
        for token in lostSlices() {
            guard let queue, let node, let jobs = slices.held[token] else { continue }
            var plan = ReportPlan()
            plan.returned = Array(jobs)
            _ = try queue.report(plan, through: window.through, by: node)
            for job in jobs { _ = slices.drop(job) }
        }
    }

    // MARK: - Waiting and stopping

    /// Waits until the database announces new jobs, or for a moment.
    private func wait() {
        if isReplaced { return }
        var file = pollfd(fd: queue?.socket ?? -1, events: Int16(POLLIN), revents: 0)
        poll(&file, 1, Int32(Self.tick.components.attoseconds / 1_000_000_000_000_000))
    }

    /// Stops: claims nothing more, reports what ends within some seconds, and gives the rest back.
    private func drain() throws(FleetFailure) {
        isClosed = true
        let end = now + Self.drainTime
        while slices.count > 0, queue != nil, now < end - .seconds(2) {
            try step()
            wait()
        }
        // What is cancelled goes back with its report; without the database, nobody can be told.
        for slice in slices.posted.values {
            do {
                if queue == nil {
                    _ = try daemon.renew(slice.batch, seconds: 0)
                } else {
                    try daemon.cancel(slice.batch)
                }
            } catch { note("daemon", error.words) }
        }
        window.giveUp { _ in true }
        while slices.count > 0, queue != nil, now < end {
            do { try report() } catch { note("database", error.description) }
            wait()
        }
        guard let queue, let node else { return }
        do { try queue.leave(node) } catch {
            note("database", error.description)
        }
        slices.abandonAll()
        forgetAbandoned()
    }

    /// Notes it if a document isn't in the shared folder; returns whether one isn't.
    private func isMisplaced(_ endings: [FleetEnding]) -> Bool {
        guard case .shared = settings.place else { return false }
        misplaced = endings.first { $0.path != nil && settings.place.address(of: $0) == nil }?.path
        return misplaced != nil
    }

    /// Fails if the daemon's documents aren't in the shared folder, where others look for them.
    private func checkPlace() throws(FleetFailure) {
        guard let misplaced, case .shared(let folder) = settings.place else { return }
        throw FleetFailure(
            .badSettings,
            "The daemon has stored \(misplaced), which is not in documents-path (\(folder)): give it a --documents-dir "
                + "there."
        )
    }

    /// Fails if another agent runs under the node's name.
    func checkIsAlone() throws(FleetFailure) {
        guard isReplaced else { return }
        throw FleetFailure(
            .alreadyRunning,
            "Another agent runs as node \(settings.node): give each node a name of its own."
        )
    }
}
