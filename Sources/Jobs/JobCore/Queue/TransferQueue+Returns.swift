import JobModel
import Vocabulary

/// Places for hosts that bring something, which those that don't take from nobody.
///
/// The first request to a host tells more than any rule whether it is worth a place. While hosts turn out to be silent,
/// more and more are tried at once, so that a thousand of them at the head of a list hold up the others for seconds.
extension TransferQueue {
    /// The number of further hosts that may be tried at once for each that turns out to be silent: three times as many
    /// each time that all of those tried are.
    static let trialsPerSilentHost = 2

    /// Notes an answer to a job's request that may bring nothing.
    mutating func noteAnswer(to job: JobID, now: Moment) {
        guard let permit = active[job] else { return }
        active[job]?.isAnswered = true
        guard hosts.all[permit.host]?.returns.isProven == false else { return }
        change(permit.host) { $0.hosts.all[permit.host]?.returns.answered(now: now) }
    }

    /// Notes that a job's request ended for lack of an answer, or of bytes.
    public mutating func broughtNothing(_ job: JobID, now: Moment) {
        guard let host = active[job]?.host else { return }
        active[job]?.isAnswered = false
        change(host) { $0.hosts.all[host]?.returns.failed(now: now) }
    }

    /// Notes that something came for a job.
    mutating func noteReturn(of job: JobID, now: Moment) {
        guard let permit = active[job], let returns = hosts.all[permit.host]?.returns else { return }
        active[job]?.hasBrought = true
        active[job]?.marked = permit.bytes
        if !returns.isProven { trials = max(0, trials - Self.trialsPerSilentHost - 1) }
        change(permit.host) { $0.hosts.all[permit.host]?.returns.brought(!permit.hasBrought, now: now) }
        guard !permit.hasBrought else { return }
        bringBack(permit.host)
        if !returns.isProven { bringBackUntriable() }
    }

    /// Notes that a job's request ends, which was answered and may have brought nothing worth counting.
    mutating func noteAnsweredEnd(of job: JobID, now: Moment?) {
        guard let now, let permit = active[job], permit.isAnswered, !permit.hasBrought,
            hosts.all[permit.host]?.returns.isSilent == false
        else { return }
        noteReturn(of: job, now: now)
    }

    /// Finds out which hosts have fallen silent.
    mutating func judgeHosts(now: Moment?) {
        guard let now, limits.trials > 0, let due = silentAt, due <= now else { return }
        silentAt = nil
        for host in Set(active.values.map(\.host)) {
            change(host) {
                guard $0.hosts.all[host]?.returns.fallSilent(now: now) == true,
                    $0.hosts.all[host]?.returns.isProven == false
                else { return }
                $0.trials = min($0.trials + Self.trialsPerSilentHost, $0.limits.trials)
            }
        }
    }

    /// Returns the transfer begun last, where too many bring something at once, since their hosts have been silent
    /// together for a while as when the line stood still; it is then to be stopped, and its permit released.
    ///
    /// `canGiveWay` says whether a transfer can go on later from where it was.
    public mutating func surplus(now: Moment, canGiveWay: (JobID) -> Bool) -> JobID? {
        guard counting - load.spared - displacements.count > limits.total * Self.mostSurplus else {
            return nil
        }
        let bringing = active.filter { job, permit in
            !displacements.isGivingWay(job) && hosts.all[permit.host]?.returns.isSilent == false
        }
        let last = bringing.sorted { $0.value.number > $1.value.number }.first { canGiveWay($0.key) }
        guard let job = last?.key else { return nil }
        displacements.begin(job, for: job, now: now)
        return job
    }

    /// How many times the limit on all transfers may bring something at once.
    static let mostSurplus = 3

    /// The number of transfers that count, but for those that share connections.
    var counting: Int { underWayCount - load.silent - min(load.untried, trials) }

    /// True if a request to a host that has brought nothing takes no place from others.
    func isTrial(at host: Int32) -> Bool {
        guard let returns = hosts.all[host]?.returns, !returns.isProven, hasRoomForTrials else {
            return false
        }
        return returns.isSilent || load.untried < trials
    }

    /// True if one more host may be tried.
    var hasRoomForTrials: Bool { load.silent + load.untried < limits.trials }

    /// Returns whether a host may have one request more, as far as it goes by what it has brought; one that may not
    /// only because too many are tried already is remembered.
    mutating func mayTry(_ number: Int32) -> Bool {
        guard isWorthwhile(number) else { return false }
        guard limits.trials > 0, hosts.all[number]?.returns.isProven == false, !hasRoomForTrials else {
            return true
        }
        untriable.insert(number)
        return false
    }

    /// Lets jobs compete again of so many hosts as may be tried now.
    mutating func bringBackUntriable() {
        var room = limits.trials - load.silent - load.untried
        // Numbers are given in the order in which hosts get jobs.
        while room > 0, let host = untriable.min() {
            untriable.remove(host)
            bringBack(host)
            room -= 1
        }
    }

    /// Returns whether what a host has brought is worth one request more at once.
    ///
    /// A host by itself takes nothing from others.
    func isWorthwhile(_ number: Int32) -> Bool {
        guard limits.trials > 0, hosts.all.count > 1, let host = hosts.all[number] else { return true }
        return host.active <= host.returns.proofs
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
