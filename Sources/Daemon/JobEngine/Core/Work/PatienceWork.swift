import JobCore
import JobModel
import Vocabulary

/// Decides whose fault it is that transfers bring nothing, and tells the queue what is to be held because of it.
struct PatienceWork {
    let bench: Workbench
    /// The ends of transfers of which nobody knows yet whose fault they are.
    var undecided: [Undecided] = []
    /// The moment of a portal's last page.
    var pagedAt: Moment?
    /// The jobs whose attempts failed in the present outage, and when that was last counted.
    private var countedAt: [JobID: Moment] = [:]
    /// The jobs that let others go first at a host that fails, which may be for long, by its name.
    private var behind: [String: [JobID]] = [:]
    /// Those of a host that has answered since.
    private var recovered: [JobID] = []
    /// The most of those that are remembered, of a host, and the most hosts.
    ///
    /// All others go on when their time comes.
    private static let mostBehind = (ofHost: 256, hosts: 256)
    /// The most hosts whose holds are told.
    private static let mostHostsTold = 100

    init(bench: Workbench) { self.bench = bench }

    /// Returns whose fault it is if a job's transfer has ended early; nil if that isn't known yet, so that the report
    /// has to wait for ``decide(now:_:)``.
    mutating func judge(_ report: TransferReport, of job: JobID, now: Moment) -> AttemptFault? {
        switch report {
        case .began, .restarting: answered(job, now: now)
        case .progressed: heard(job, now: now)
        case .ended(.hindered(let failure, let hindrance)):
            return judge(report, failure, hindrance, of: job, now: now)
        case .ended(.interrupted(let failure, _)):
            let isOfPortal = failure.mayBeOfPortal && mayBePortal(now: now)
            if isOfPortal, isPortal, let url = url(of: job), !url.isLoopback {
                return missAtPortal(url.hostKey, of: job, now: now)
            }
            guard failure.showsAnswer, !isOfPortal else {
                bench.queues.transfers.broughtNothing(job, now: now)
                if breaksOffLate(job, failure) { return shared(job, now: now) }
                return counts(job) ? .own : .offline
            }
            answered(job, now: now)
            // Whoever answers is reached, with a route to others or without.
            return .own
        case .ended(.refused(let failure)): if failure.showsAnswer { answered(job, now: now) }
        case .ended, .synced, .kept, .requested, .shared: break
        }
        return .own
    }

    private mutating func judge(
        _ report: TransferReport,
        _ failure: JobFailure,
        _ hindrance: Hindrance,
        of job: JobID,
        now: Moment
    ) -> AttemptFault? {
        switch hindrance {
        case .hostAsksToWait(let host, let seconds):
            return hold(host, for: seconds, because: .asked, failure, of: job, now: now)
        case .challenge(let host): return challenge(host, failure, of: job, now: now)
        case .page(let address): return page(address, report, failure, of: job, now: now)
        case .certificate(let host):
            // A portal has none of a host's, other than of this machine.
            if isPortal, mayBePortal(now: now), let url = url(of: job), !url.isLoopback {
                return missAtPortal(host, of: job, now: now)
            }
            return hold(host, for: nil, because: .certificate, failure, of: job, now: now)
        case .paced(_, let seconds):
            answered(job, now: now)
            // The host itself asks for nothing, and its own jobs go on.
            return .pace(until: now.adding(seconds: seconds))
        case .hostFails(let host):
            // One that a redirect leads to is known by its redirects alone, and isn't held.
            guard url(of: job)?.hostKey == host else {
                answered(job, now: now)
                return .own
            }
            heard(job, now: now)
            return fail(host, failure, of: job, now: now)
        case .unreached(let host):
            guard let url = url(of: job), !url.isLoopback else {
                bench.queues.transfers.broughtNothing(job, now: now)
                return .own
            }
            guard bench.configuration.hasDefaultRoute() else {
                bench.queues.transfers.missed(host, now: now)
                bench.queues.transfers.beginOutage(
                    of: .network,
                    reason: failure.message,
                    since: now,
                    now: now
                )
                // A day without a network loses nothing, be it a long one.
                return .shared(seconds: 0)
            }
            return miss(host, .network, report, failure, of: job, now: now)
        case .unreachedByProxy(let host): return miss(host, .proxy, report, failure, of: job, now: now)
        case .proxy:
            guard let url = url(of: job) else { return .own }
            // Nothing would keep it from being begun again at once.
            guard !url.isLoopback || bench.queues.transfers.line.outage?.part != .network else { return .own }
            bench.queues.transfers.missed(url.hostKey, now: now)
            bench.queues.transfers.beginOutage(of: .proxy, reason: failure.message, since: now, now: now)
            return shared(job, now: now)
        case .leftUnread:
            answered(job, now: now)
            return .shared(seconds: 0)
        }
    }

    /// Holds a host as a whole, for so many seconds if it has asked for just that.
    private mutating func hold(
        _ host: String,
        for seconds: Double?,
        because cause: HostWaitKind,
        _ failure: JobFailure,
        of job: JobID,
        now: Moment
    ) -> AttemptFault {
        if cause != .certificate || !mayBePortal(now: now) { heard(job, now: now) }
        if cause == .asked, bench.queues.transfers.hostAsksAlone(host, job: job) {
            // Nor are redirects to the host to wait.
            bench.ports.transfers.release(host)
            return .alone(seconds: seconds)
        }
        let until = bench.queues.transfers.hostAsksToWait(
            host,
            seconds: seconds,
            job: job,
            because: cause,
            reason: failure.message,
            now: now
        )
        // It has led to the other one.
        if let first = url(of: job)?.hostKey, first != host {
            bench.queues.transfers.hostAnswered(first, job: job, now: now)
        }
        return .host(until: bench.queues.transfers.turnBehindOthers(at: host, now: now) ?? until)
    }

    /// Notes that a host asks for a browser, which is final; it is left alone once several jobs have found that.
    ///
    /// Whoever has found it waits, so that a host without cookies doesn't fail all that it has. Where the next hold ends
    /// with the same words for the same file, it may be about that file, which mustn't go first for ever.
    private mutating func challenge(
        _ host: String,
        _ failure: JobFailure,
        of job: JobID,
        now: Moment
    ) -> AttemptFault {
        // As with one that fails, only its own jobs say something about it.
        guard url(of: job)?.hostKey == host else {
            answered(job, now: now)
            return .own
        }
        heard(job, now: now)
        let isFirst = bench.queues.transfers.isFirst(job, afterChallengeOf: host)
        let seconds = bench.queues.transfers.hostFails(
            host,
            job: job,
            because: .challenge,
            reason: failure.message,
            now: now
        )
        guard let seconds, !isFirst else { return .own }
        let turn = bench.queues.transfers.turnBehindOthers(at: host, now: now)
        return .host(until: turn ?? now.adding(seconds: seconds))
    }

    /// Notes that a host fails, which counts; it is left alone for a moment once several jobs have found that.
    mutating func fail(
        _ host: String,
        _ failure: JobFailure,
        of job: JobID,
        now: Moment
    ) -> AttemptFault {
        let reason = failure.message
        guard let seconds = bench.queues.transfers.hostFails(host, job: job, reason: reason, now: now) else {
            return .own
        }
        note(job, behindOthersOf: host)
        return .failing(seconds: seconds)
    }

    /// The obstacles to beginning transfers.
    var holds: [EngineHold] {
        bench.queues.transfers.heldHosts(atMost: Self.mostHostsTold).compactMap(EngineHold.init)
            + [bench.queues.transfers.line.outage].compactMap(\.self).map(EngineHold.init)
    }

    // MARK: - Signs of life

    /// Notes that something came for a job, which shows that the line works.
    mutating func heard(_ job: JobID, now: Moment) {
        // This machine answers itself whatever has become of the network.
        guard let url = url(of: job) else { return }
        let missing = bench.queues.transfers.line.outage?.part
        guard !url.isLoopback || missing == .proxy else { return }
        // Some hosts may be reached past the proxy, and those nearby without a route.
        let isPartial = missing == .proxy || missing == .network && !bench.configuration.hasDefaultRoute()
        if bench.queues.transfers.heard(job, from: url.hostKey, isPartial: isPartial, now: now) {
            countedAt = [:]
        }
    }

    /// Notes that a job's host has answered, and doesn't ask to wait.
    mutating func answered(_ job: JobID, now: Moment) {
        heard(job, now: now)
        guard let host = url(of: job)?.hostKey else { return }
        bench.queues.transfers.hostAnswered(host, job: job, now: now)
        forgive(host)
    }

    private mutating func note(_ job: JobID, behindOthersOf host: String) {
        let jobs = behind[host] ?? []
        guard jobs.count < Self.mostBehind.ofHost, !jobs.contains(job) else { return }
        // Hosts that never answer again mustn't keep all others out.
        if jobs.isEmpty, behind.count >= Self.mostBehind.hosts, let other = behind.keys.min() {
            behind[other] = nil
        }
        behind[host] = jobs + [job]
    }

    /// Lets the jobs go on that let others go first at a host.
    mutating func forgive(_ host: String) { recovered += behind.removeValue(forKey: host) ?? [] }

    /// Returns the jobs whose host has answered, each once.
    mutating func popRecovered() -> [JobID] {
        defer { recovered = [] }
        return recovered
    }

    func url(of job: JobID) -> JobURL? { bench.jobs[job]?.machine.job.url }

    /// Returns whether a failed attempt counts towards giving a job up: not while the machine has no
    /// route to any other.
    private func counts(_ job: JobID) -> Bool {
        url(of: job).map { $0.isLoopback || bench.configuration.hasDefaultRoute() } ?? true
    }

    /// Returns whether an attempt was under way when the line went, and has broken off since: connections that stood
    /// by then fall silent for a while before that shows.
    private func breaksOffLate(_ job: JobID, _ failure: JobFailure) -> Bool {
        let late: [FailureCode] = [.timedOut, .stalled, .connectionLost]
        guard late.contains(failure.code), let url = url(of: job), !url.isLoopback else { return false }
        return !bench.queues.transfers.line.isOpen(to: url.hostKey)
    }

    /// Returns the fault of an attempt that failed because nothing gets through, with the time since the job's last
    /// one.
    mutating func shared(_ job: JobID, now: Moment) -> AttemptFault {
        let last = countedAt.updateValue(now, forKey: job)
        // What was before somebody resumed or retried it is forgiven.
        guard let last, let struggled = bench.jobs[job]?.machine.job.struggled, struggled > 0 else {
            return .shared(seconds: 0)
        }
        return .shared(seconds: max(0, now.seconds(since: last)))
    }
}

extension JobFailure {
    /// True if a portal may be what the attempt has met: many refuse connections, speak no TLS, and send a page also
    /// where the rest of a file is asked for.
    fileprivate var mayBeOfPortal: Bool {
        [.tlsFailed, .connectFailed, .unexpectedContentType].contains(code)
    }

    /// True if the attempt that ended with it had an answer from a server, or at least a connection to it, a moment
    /// ago.
    fileprivate var showsAnswer: Bool {
        switch code {
        case .timedOut, .stalled, .connectionLost, .unresolvedHost, .deniedNetwork, .refusedScheme, .diskFull,
            .outOfResources, .storageError, .storageLost, .sourceUnusable:
            false
        default: true
        }
    }
}
