import FleetCore
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
    var plan: ClaimPlan
    var retryAt: Duration = .zero
    var isClosed = false
    /// True if the database has been there.
    var hasConnected = false
    /// True if another agent runs under the node's name.
    var isReplaced = false
    /// The daemon's endings that have been read and are still to be dealt with.
    var window = ReportWindow(behind: 0)
    /// The uploader of documents, if they are in a bucket.
    let uploader: Uploader?
    /// A document that the daemon has put elsewhere than into the shared folder.
    var misplaced: String?
    /// The number of endings that are reported at once.
    var reportSize = ReportSize()
    /// True if endings may have been forgotten that nobody has read.
    var mayLack = true
    var tidiedAt: Duration = .zero
    /// The time when the node last looked for batches that it needn't keep any longer.
    var lookedForKeptAt: Duration = .zero
    /// The time when the node last asked what is still its own, and whether it has heard of something since.
    var askedAt: Duration = .zero
    var hasHeard = false
    /// The time when the figures were written.
    var writtenAt: Duration = .zero
    /// Since when buckets wait to be empty.
    var drainingSince: Duration?
    private var troubles: [String: Duration] = [:]
    /// How far the daemon's items have been handed over; nil until the daemon is known.
    var feeding: Feeding?
    /// The node's health, by what its jobs end in.
    var health = NodeHealth()
    /// The daemon's life, by how long it has been up.
    var life = DaemonLife()
    /// The daemon's hold, by what it says.
    var hold: NodeHold
    /// Since when the daemon doesn't answer; nil while it does.
    var awaySince: Duration?
    /// The reason why the node rests; nil if it doesn't.
    var restReason: String?

    /// Creates an agent, which connects when it runs.
    init(_ settings: FleetSettings) throws(DaemonError) {
        // Before there are threads, which inherit it.
        Signals.hold()
        self.settings = settings
        lease = NodeLease(settings.timing)
        plan = ClaimPlan(slice: settings.slice)
        hold = NodeHold(patience: settings.timing.lease)
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
    /// The time to wait after trouble with the database.
    static let pause = Duration.seconds(1)

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
        hearDaemon()
        do { try blame() } catch { try trouble(error) }
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
            try feed()
        } catch { try trouble(error) }
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

    /// Fails if another agent runs under the node's name.
    func checkIsAlone() throws(FleetFailure) {
        guard isReplaced else { return }
        throw FleetFailure(
            .alreadyRunning,
            "Another agent runs as node \(settings.node): give each node a name of its own."
        )
    }
}
