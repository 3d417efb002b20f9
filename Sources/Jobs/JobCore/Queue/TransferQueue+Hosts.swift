import JobModel
import Vocabulary

/// A host at which jobs stepped aside until a moment.
struct HostWake: Comparable, Sendable {
    var at: Moment
    var host: Int32

    static func < (lhs: HostWake, rhs: HostWake) -> Bool { (lhs.at, lhs.host) < (rhs.at, rhs.host) }
}

/// The times of hosts: none holds up another.
extension TransferQueue {
    /// Sets the limits of all hosts; running transfers go on.
    public mutating func setRules(_ rules: HostRules) {
        guard rules != hosts.rules else { return }
        hosts.setRules(rules)
        recount()
        for host in hosts.all.keys.sorted() { bringBack(host) }
    }

    /// Notes that a host has answered a job's request by asking everybody to wait, or with a certificate that isn't
    /// trusted, and returns until when.
    ///
    /// The host is named like ``JobURL/hostKey``; `seconds` is how long it asks for, if it says so.
    public mutating func hostAsksToWait(
        _ host: String,
        seconds: Double?,
        job: JobID,
        because cause: HostWaitKind = .asked,
        reason: String,
        now: Moment
    ) -> Moment {
        hosts.withClock(of: host) {
            $0.patience.asksToWait(seconds, job: job, because: cause, reason: reason, now: now)
        }
    }

    /// Returns whether a host that asks a job to wait once more does so because of its file alone, since it answers
    /// others.
    public func hostAsksAlone(_ host: String, job: JobID) -> Bool {
        hosts.clock(of: host)?.patience.asksAlone(job) ?? false
    }

    /// Returns the moment at which a job follows that its host has told to wait, where others of the host go first: only
    /// so it shows whether the host says that to all; nil where none do, or nobody waits.
    public func turnBehindOthers(at host: String, now: Moment) -> Moment? {
        guard let number = hosts.known(host), hosts.all[number]?.queued ?? 0 > 0,
            let patience = hosts.clock(of: host)?.patience,
            patience.cause == .asked || patience.cause == .challenge,
            let until = patience.heldUntil, until > now
        else { return nil }
        return until.adding(seconds: Self.turnOfOthers)
    }

    private static let turnOfOthers = 0.1

    /// Returns whether a host is asked for this job first, after it was held because it asks for a browser.
    public func isFirst(_ job: JobID, afterChallengeOf host: String) -> Bool {
        guard let patience = hosts.clock(of: host)?.patience else { return false }
        return patience.cause == .challenge && patience.stage == .asking(job)
    }

    /// True if files are still to be fetched from more than one host.
    public var hasSeveralHosts: Bool { hosts.all.count > 1 }

    /// Notes that a host has answered a job's request with 503, and without a word of how long, or has asked for a
    /// browser; returns for how many seconds it is left alone because of that, if it is.
    public mutating func hostFails(
        _ host: String,
        job: JobID,
        because cause: HostWaitKind = .failing,
        reason: String,
        now: Moment
    ) -> Double? {
        hosts.withClock(of: host) { $0.patience.fails(job, because: cause, reason: reason, now: now) }
    }

    /// Holds a host until a moment, as an earlier run of the daemon did.
    public mutating func restoreHold(
        of host: String,
        until: Moment,
        because cause: HostWaitKind = .asked,
        reason: String
    ) {
        hosts.withClock(of: host) { $0.patience.restore(until: until, because: cause, reason: reason) }
    }

    /// Ends the hold of a host before its time; returns the moments until which anybody was told to wait for it, from
    /// the first to the last, or nil if it wasn't held.
    public mutating func releaseHost(_ host: String, now: Moment) -> ClosedRange<Moment>? {
        guard hosts.clock(of: host) != nil else { return nil }
        let until = hosts.withClock(of: host) { $0.patience.release(now: now) }
        if until != nil, let number = hosts.known(host) { bringBack(number) }
        return until.map { $0.lowerBound...$0.upperBound.adding(seconds: Self.turnOfOthers) }
    }

    /// Notes that a host has answered a job's request in a way that doesn't ask to wait.
    public mutating func hostAnswered(_ host: String, job: JobID, now: Moment) {
        // Whoever went first has shown what there was to show, even if its file takes long.
        let wentFirst = hosts.clock(of: host)?.patience.stage == .asking(job)
        active[job]?.settlesAt = wentFirst ? now : now.adding(seconds: Self.longestNews)
        noteAnswer(to: job, now: now)
        guard let clock = hosts.clock(of: host), !clock.patience.isAtRest else { return }
        hosts.withClock(of: host) { $0.patience.answered(job, now: now) }
        if let number = hosts.known(host) { bringBack(number) }
    }

    /// Notes that a transfer which has its permit sends a further request to a host, for a redirect or a segment.
    ///
    /// It isn't held back, and those that follow wait for it.
    public mutating func hostAskedAgain(_ host: String, now: Moment) {
        guard
            hosts.clock(of: host)?.bucket != nil
                || hosts.rules.limits(of: HostTable.name(of: host)).pace != nil
        else { return }
        hosts.withClock(of: host) { $0.spend(now: now) }
    }

    /// Returns the next moment at which a host's time has come, or that of a probe; nil if nothing waits for any.
    public func opensAt(now: Moment) -> Moment? {
        let probes = queuedCount == 0 ? nil : line.outage?.probesAt
        let silent = limits.trials > 0 && queuedCount > 0 && isFull ? silentAt : nil
        return [sleepers.first?.at, hosts.endsAt, probes, silent].compactMap(\.self).min()
    }

    // MARK: - The line

    /// Notes that something came for a job from its host; returns whether that ends an outage.
    ///
    /// In a partial outage, some hosts are reached another way than those that aren't, and what comes from them says
    /// nothing about the others.
    public mutating func heard(_ job: JobID, from host: String, isPartial: Bool, now: Moment) -> Bool {
        if isPartial, let since = line.outage?.since {
            let isNew = active[job]?.since.map { $0 >= since } ?? false
            guard line.shows(host, isNew: isNew) else {
                if line.reach(host, now: now), let number = hosts.known(host) { bringBack(number) }
                return false
            }
        }
        guard line.heard(now: now) else { return false }
        for host in hosts.all.keys.sorted() { bringBack(host) }
        return true
    }

    /// Notes that a host couldn't be reached.
    public mutating func missed(_ host: String, now: Moment) { line.missed(host, now: now) }

    /// Begins an outage, unless there is one.
    public mutating func beginOutage(
        of part: LinePatience.Part,
        reason: String,
        since: Moment,
        now: Moment
    ) { line.begin(part, reason: reason, since: since, now: now) }

    // MARK: - Permits

    /// The number of jobs of a host that may compete for permits beside those that have one.
    func room(at number: Int32) -> Int {
        guard let host = hosts.all[number] else { return 0 }
        let free = mostActive(at: number) - host.active
        switch hosts.clock(at: number).patience.stage {
        case .asking: return 0
        case .held: return min(free, 1)
        case .open:
            let isOpen = line.isOpen(to: host.name) || host.isLoopback
            return isOpen ? free + mostAhead(at: number) : min(free, 1)
        }
    }

    /// Returns whether a host's time has come; without a moment nobody knows, and it counts as come.
    func mayBegin(at number: Int32, now: Moment?) -> Bool {
        guard let now, let host = hosts.all[number] else { return true }
        return hosts.clock(at: number).mayBegin(beside: unsettled(at: number, host, now: now), now: now)
            && line.mayBegin(host.name, beside: host.active, isLoopback: host.isLoopback)
    }

    /// Notes that a job's transfer is begun.
    mutating func begin(_ job: JobID, at number: Int32, now: Moment?) {
        guard let now, let name = hosts.all[number]?.name else { return }
        line.began(name)
        hosts.withClock(at: number) { $0.begin(job, now: now) }
    }

    /// Lets jobs compete again that stepped aside until now, or may go as probes.
    mutating func wakeHosts(now: Moment?) {
        guard let now else { return }
        hosts.endHolds(now: now)
        // Where there is nothing to fetch, nobody finds out when it ends.
        if line.outage != nil, queuedCount == 0, activeCount == 0 { line.end() }
        hosts.prune(now: now)
        while let wake = sleepers.first, wake.at <= now {
            _ = sleepers.popFirst()
            hosts.all[wake.host]?.wakesAt = nil
            bringBack(wake.host)
        }
        guard let due = line.outage?.probesAt, due <= now else { return }
        let chosen = line.beginRound(idleHosts, now: now)
        for name in chosen {
            if let number = hosts.known(name) { bringBack(number) }
        }
    }

    /// The seconds after a transfer's answer for which a host that has asked to wait is asked less beside it.
    ///
    /// A small file is over by then. A large one takes minutes, and says nothing new.
    static let longestNews = 5.0

    /// The number of transfers of a host that the next one has to wait for: all, but where it has asked to wait only
    /// those whose answers are new, or still to come.
    func unsettled(at number: Int32, _ host: HostTable.Host, now: Moment) -> Int {
        guard hosts.clock(at: number).patience.width != nil else { return host.active }
        return active.values.count { $0.host == number && !($0.settlesAt.map { $0 <= now } ?? false) }
    }

    /// Returns the next moment at which a transfer of a host isn't waited for any more, where others are.
    func settlesAt(_ number: Int32, after now: Moment) -> Moment? {
        guard case .open = hosts.clock(at: number).patience.stage else { return nil }
        return active.values.lazy.filter { $0.host == number }.compactMap(\.settlesAt).filter { $0 > now }
            .min()
    }

    /// Notes that a job of a host steps aside, which is to be woken if that is only for a time.
    mutating func fallAsleep(_ number: Int32, now: Moment?) {
        guard let now, let host = hosts.all[number],
            let opens = hosts.clock(at: number).opensAt(
                beside: unsettled(at: number, host, now: now),
                now: now
            )
        else { return }
        let at = min(opens, settlesAt(number, after: now) ?? opens)
        guard host.wakesAt.map({ at < $0 }) ?? true else { return }
        hosts.all[number]?.wakesAt = at
        sleepers.insert(HostWake(at: at, host: number))
    }

    /// The hosts with jobs that wait, and nothing under way.
    private var idleHosts: [String] {
        hosts.all.values.filter { $0.queued > 0 && $0.active == 0 }.map(\.name)
    }
}
