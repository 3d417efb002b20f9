import JobModel
import Vocabulary

/// What hosts have said, by which it is known when nobody may ask them.
struct HostOracle {
    private struct Hold {
        var since: Moment
        var until: Moment
    }

    private var holds: [String: Hold] = [:]
    /// The jobs that each host has told to wait, and those hosts that have answered others since they last did.
    private var told: [String: Set<JobID>] = [:]
    private var answering: Set<String> = []
    private var requests: [String: [Tick]] = [:]
    /// The settings before the last change, by which requests may still go out for a while.
    private var before: (settings: SimulatedSettings, changedAt: Tick)?

    /// A daemon begins, which knows of holds what is in its store.
    mutating func begin(_ life: Life, rows: Rows) {
        (holds, requests, told, answering) = ([:], [:], [:], [])
        for job in rows.jobs.values where job.state == .waiting && job.toldOf.contains(.host) {
            guard !job.toldOf.contains(.otherHost), let until = job.waiting?.until else { continue }
            let known = holds[job.url.hostKey]?.until ?? until
            holds[job.url.hostKey] = Hold(since: life.moment, until: max(known, until))
        }
    }

    /// The engine is told of a job's transfer, from the host of its URL.
    mutating func hear(_ report: TransferReport, of job: JobID, at home: String, now: Moment) {
        let (host, seconds): (String, Double?)
        switch report {
        case .ended(.hindered(_, .hostAsksToWait(let name, let asked))):
            (host, seconds) = (name, asked)
            // It is about this file alone.
            if told[name]?.contains(job) == true, answering.contains(name) { return }
            told[name, default: []].insert(job)
            answering.remove(name)
        case .ended(.hindered(_, .certificate(let name))): (host, seconds) = (name, nil)
        case .ended(.hindered), .ended(.unsent), .progressed, .synced, .kept, .requested, .shared: return
        case .began, .restarting, .ended:
            told[home]?.remove(job)
            answering.insert(home)
            return
        }
        if let hold = holds[host], hold.until > now, seconds == nil { return }
        let until = now.adding(seconds: min(max(seconds ?? 30, 1), 604_800))
        let known = holds[host]?.until ?? until
        holds[host] = Hold(since: now, until: max(known, until))
    }

    mutating func release(_ host: String) { holds[host] = nil }

    /// A host is asked by a job that got its permit at a moment; returns what is wrong with that.
    func ask(_ host: String, permit: Moment?, now: Moment) -> String? {
        guard let hold = holds[host], hold.until > now, let permit, permit > hold.since else { return nil }
        return "\(host) is asked \(Int(hold.until.seconds(since: now))) s before its time"
    }

    // MARK: - Limits

    mutating func reload(_ settings: SimulatedSettings, at now: Tick) { before = (settings, now) }

    /// The limits that requests keep to: also those before a change, for what was under way.
    func limits(_ settings: SimulatedSettings, at now: Tick) -> (total: Int, perHost: Int) {
        guard let before, now - before.changedAt < 120_000_000 else {
            return (settings.total, settings.perHost)
        }
        return (
            max(settings.total, before.settings.total), max(settings.perHost, before.settings.perHost)
        )
    }

    /// A request to a host with a pace goes out; returns what is wrong with that.
    mutating func spend(_ host: String, _ pace: SimulatedPace, at now: Tick) -> String? {
        let window = Tick(pace.seconds) * 1_000_000
        var times = (requests[host] ?? []).filter { now - $0 < window }
        times.append(now)
        requests[host] = times
        // What one second allows may be ahead, and a request under way when the daemon's turn began.
        let most = pace.requests + max(1, pace.requests / pace.seconds) + 1
        guard times.count > most else { return nil }
        return "\(host) got \(times.count) requests in \(pace.seconds) s, of \(pace.requests)"
    }
}

/// Until when batches may have servers asked, by what people have heard.
struct LeaseOracle {
    /// The seconds for which a renewal may be on its way.
    private static let slack = 10.0
    private var began: Moment?
    private var renewed: [BatchID: Moment] = [:]

    /// A daemon begins, for which all leases have lapsed.
    mutating func begin(at now: Moment) { (began, renewed) = (now, [:]) }

    mutating func renew(_ batch: BatchID, until: Moment) { renewed[batch] = until }

    /// Returns until when a batch's servers may be asked, in this life.
    private func end(_ batch: BatchID, _ lease: (seconds: Int, grantedAt: Moment)) -> Moment? {
        let granted = began.map { lease.grantedAt >= $0 } ?? false
        let first = granted ? lease.grantedAt.adding(seconds: Double(lease.seconds)) : began
        return [first, renewed[batch]].compactMap(\.self).max()
    }

    /// Returns what is wrong with a request for a batch that got its permit at a moment.
    func ask(_ batch: BatchID, _ lease: (seconds: Int, grantedAt: Moment), permit: Moment?) -> String? {
        guard let end = end(batch, lease), let permit else { return nil }
        let late = permit.seconds(since: end)
        return late > Self.slack ? "\(batch) has a server asked \(Int(late)) s after its lease" : nil
    }
}

/// Whether jobs at hosts that answer begin, however many there are at hosts that don't.
struct FairnessOracle {
    /// The time at which something at a host that answers began last.
    private var beganAt: Tick = 0
    private var answered: Set<String> = []

    mutating func began(_ running: SimulatedTransfers.Running, in world: World) {
        guard let host = world.web.place(of: running.request.url)?.host, host.isAlwaysWell else { return }
        beganAt = world.now
    }

    mutating func ended(_ running: SimulatedTransfers.Running) {
        if running.hasAnswer { answered.insert(running.request.url.hostKey) }
    }

    /// Returns how the places are shared, where jobs at hosts that answer wait for long beside those that bring none.
    mutating func look(_ life: Life) -> String? {
        let world = life.world
        let underWay = life.transfers.underWay
        let dead = underWay.count { !$0.hasAnswer && !answered.contains($0.request.url.hostKey) }
        let waits = world.rows.unfinished.contains { id in
            guard let job = world.rows.jobs[id], job.state == .queued else { return false }
            return world.web.place(of: job.url)?.host.isAlwaysWell ?? false
        }
        guard waits, dead * 4 > world.settings.total, underWay.count >= world.settings.total,
            !world.isLineDown
        else { return nil }
        let seconds = (world.now - beganAt) / 1_000_000
        guard seconds > 60 else { return nil }
        return
            "nothing at hosts that answer has begun for \(seconds) s: \(dead) of \(world.settings.total) places are "
            + "those of hosts that bring nothing"
    }
}
