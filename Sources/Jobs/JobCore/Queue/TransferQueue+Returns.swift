import JobModel
import Vocabulary

/// Places for hosts that bring something, which those that don't take from nobody.
///
/// The first request to a host tells more than any rule whether it is worth a place. While hosts turn out to be silent,
/// more and more are tried at once, so that a thousand of them at the head of a list hold up the others for a quarter
/// of a minute.
extension TransferQueue {
    /// The number of further hosts that may be tried at once beside all other transfers: two for each silent one, so
    /// that three times as many are tried each time that all of those tried are.
    var trials: Int { min(load.silent * 2, limits.trials) }

    /// The number of transfers that count, but for those that share connections.
    var counting: Int { underWayCount - load.silent - min(load.untried, trials) }

    /// True if one more host may be tried.
    var hasRoomForTrials: Bool {
        load.silent + load.untried < limits.trials || underWayCount - load.spared < limits.total
    }

    /// True if a request to a host that has brought nothing takes no place from others.
    func isTrial(at host: Int32) -> Bool {
        guard let returns = hosts.all[host]?.returns, !returns.isProven, hasRoomForTrials else {
            return false
        }
        return returns.isSilent || load.untried < trials
    }

    /// Returns whether what a host has brought is worth one request more at once.
    ///
    /// A host by itself takes nothing from others.
    func isWorthwhile(_ number: Int32) -> Bool {
        guard limits.trials > 0, hosts.all.count > 1, let host = hosts.all[number] else { return true }
        return host.active <= host.returns.proofs
    }

    /// Returns whether a host may have one request more, as far as it goes by what it has brought; one that may not
    /// only because too many are tried already is remembered.
    mutating func mayTry(_ number: Int32) -> Bool {
        guard isWorthwhile(number) else { return false }
        guard limits.trials > 0, hosts.all[number]?.returns.isProven == false, !hasRoomForTrials else {
            return true
        }
        if hosts.all[number]?.isUntriable == false {
            hosts.all[number]?.isUntriable = true
            untriable.insert(number)
        }
        return false
    }

    /// Lets jobs compete again of a host that may be tried now; returns whether there is one.
    mutating func bringBackUntriable() -> Bool {
        while hasRoomForTrials, let host = untriable.popFirst() {
            // Its number may be another's by now.
            guard hosts.all[host]?.isUntriable == true else { continue }
            hosts.all[host]?.isUntriable = false
            bringBack(host)
            return true
        }
        return false
    }

    // MARK: - What comes

    /// Notes an answer to a job's request that may bring nothing.
    mutating func noteAnswer(to job: JobID, now: Moment) {
        guard let permit = active[job] else { return }
        active[job]?.isAnswered = true
        guard let returns = hosts.all[permit.host]?.returns, !returns.isProven else { return }
        if !returns.isAnswered, let since = returns.since {
            patience.noteAnswer(after: now.seconds(since: since))
        }
        change(permit.host) { $0.hosts.all[permit.host]?.returns.answered(now: now) }
    }

    /// Notes that a job's request ended for lack of an answer, or of bytes.
    public mutating func broughtNothing(_ job: JobID, now: Moment) {
        guard let host = active[job]?.host else { return }
        active[job]?.isAnswered = false
        change(host) { queue in
            guard queue.hosts.all[host]?.returns.failed(queue.patience, now: now) == true else { return }
            // What they bring from now on shows something again.
            for (job, permit) in queue.active where permit.host == host {
                queue.active[job]?.hasBrought = false
            }
        }
    }

    /// Notes that something came for a job.
    mutating func noteReturn(of job: JobID, now: Moment) {
        guard let permit = active[job] else { return }
        active[job]?.hasBrought = true
        active[job]?.marked = permit.bytes
        change(permit.host) { $0.hosts.all[permit.host]?.returns.brought(!permit.hasBrought, now: now) }
        if !permit.hasBrought { bringBack(permit.host) }
    }

    /// Notes that a job's request ends, which was answered and may have brought nothing worth counting.
    mutating func noteAnsweredEnd(of job: JobID, now: Moment?) {
        guard let now, let permit = active[job], permit.isAnswered, !permit.hasBrought,
            hosts.all[permit.host]?.returns.isSilent == false
        else { return }
        noteReturn(of: job, now: now)
    }

    /// Notes bytes from anywhere.
    mutating func noteArrival(of bytes: Int64, now: Moment) {
        if now.seconds(since: arrivals.since ?? now) >= HostReturns.Patience.body || arrivals.since == nil {
            arrivals = Arrivals(since: now, before: arrivals.rate(now: now))
        }
        arrivals.bytes += bytes
    }

    /// Finds out which hosts have fallen silent.
    mutating func judgeHosts(now: Moment?) {
        guard let now, limits.trials > 0, let due = silentAt, due <= now else { return }
        silentAt = nil
        let isSlow = isLineSlow(now: now)
        for host in Set(active.values.map(\.host)) {
            change(host) { queue in
                let isAnswered = queue.hosts.all[host]?.returns.isAnswered ?? false
                guard !isSlow || !isAnswered else { return }
                queue.hosts.all[host]?.returns.fallSilent(queue.patience, now: now)
            }
        }
        // The line may be faster then.
        if isSlow { silentAt = now.adding(seconds: HostReturns.Patience.body) }
    }

    /// Returns whether so little comes over the line that each of those who share it gets too little to be told from a
    /// host that brings nothing, but more than such hosts would bring.
    private func isLineSlow(now: Moment) -> Bool {
        let (rate, least) = (arrivals.rate(now: now), Double(HostReturns.leastBytes))
        return rate >= least * 2 && rate < least * Double(limits.total)
    }

    /// Returns the transfers begun last, where too many bring something at once, since their hosts were silent together
    /// for a while as when the line stood still; they are then to be stopped, and their permits released.
    ///
    /// `canGiveWay` says whether a transfer can go on later from where it was.
    public mutating func surplus(now: Moment, canGiveWay: (JobID) -> Bool) -> [JobID] {
        let excess = counting - load.spared - displacements.count - limits.total
        guard limits.trials > 0, excess > 0 else { return [] }
        let candidates = active.filter { job, permit in
            guard permit.isTrial, let returns = hosts.all[permit.host]?.returns else { return false }
            return returns.isProven && !returns.isSilent && !displacements.isGivingWay(job)
                && spared(at: permit.host) == 0 && waitingAhead(at: permit.host) == 0
        }
        let last = candidates.sorted { $0.value.number > $1.value.number }.lazy.map(\.key).filter(canGiveWay)
        let chosen = Array(last.prefix(excess))
        for job in chosen { displacements.begin(job, for: job, now: now) }
        return chosen
    }

    /// Returns what a host's transfers count for.
    func load(of number: Int32) -> HostLoad {
        guard let host = hosts.all[number], host.active > 0 else { return HostLoad() }
        var load = HostLoad(spared: spared(at: number), ahead: waitingAhead(at: number))
        let rest = host.active - load.spared - load.ahead
        if host.returns.isSilent { load.silent = rest } else if !host.returns.isProven { load.untried = rest }
        return load
    }
}

/// The bytes that came lately, from anywhere.
struct Arrivals: Sendable {
    /// The moment since which they are counted; nil before the first.
    var since: Moment?
    var bytes: Int64 = 0
    /// The bytes a second before that.
    var before = 0.0

    /// Returns the bytes a second that come at present.
    func rate(now: Moment) -> Double {
        guard let since else { return before }
        let seconds = now.seconds(since: since)
        return seconds < 1 ? before : Double(bytes) / seconds
    }
}

/// The numbers of transfers that don't count as others do.
struct HostLoad: Hashable, Sendable {
    /// Those that share connections.
    var spared = 0
    /// Those that wait for others of their hosts.
    var ahead = 0
    /// Those of hosts from which nothing comes.
    var silent = 0
    /// Those of hosts that haven't brought anything yet.
    var untried = 0

    static func + (lhs: HostLoad, rhs: HostLoad) -> HostLoad {
        HostLoad(
            spared: lhs.spared + rhs.spared,
            ahead: lhs.ahead + rhs.ahead,
            silent: lhs.silent + rhs.silent,
            untried: lhs.untried + rhs.untried
        )
    }

    static func - (lhs: HostLoad, rhs: HostLoad) -> HostLoad {
        HostLoad(
            spared: lhs.spared - rhs.spared,
            ahead: lhs.ahead - rhs.ahead,
            silent: lhs.silent - rhs.silent,
            untried: lhs.untried - rhs.untried
        )
    }
}
