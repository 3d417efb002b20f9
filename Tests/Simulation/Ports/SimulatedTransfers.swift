import JobCore
import JobModel
import Vocabulary

@testable import JobEngine

/// The transfer thread: what it reports of requests is decided by the real rules (JobCore), from the answers of a
/// simulated web.
final class SimulatedTransfers: TransferPort, @unchecked Sendable {
    /// A transfer under way.
    final class Running {
        let request: TransferRequest
        let job: JobID
        /// The URL that is asked now.
        var url: JobURL
        var redirects = 0
        var file: ServerFile?
        /// The bytes that have arrived, those that were there before included.
        var length: Int64 = 0
        var isBuffered = false
        /// The rest of what is to be done once the store no longer claims the partial.
        var afterConfirmation: (() -> Void)?
        /// True once something has come from the server.
        var hasAnswer = false
        /// The bytes that were there when so many had come that they are something.
        var marked: Int64 = 0

        init(_ request: TransferRequest) {
            (self.request, job, url) = (request, request.job, request.url)
        }
    }

    unowned let life: Life
    private var active: [JobID: Running] = [:]
    /// The requests that wait for others of their hosts, by host.
    private var inHand: [String: [TransferRequest]] = [:]
    /// The times until which hosts have asked everybody to wait, for those that redirects lead to, in seconds.
    private var busyUntil: [String: Double] = [:]
    static let policy = TransferPolicy()

    init(_ life: Life) { self.life = life }

    var world: World { life.world }

    /// Returns whether there is a transfer of a job, or a request in hand.
    func has(_ job: JobID) -> Bool {
        active[job] != nil || inHand.values.contains { $0.contains { $0.job == job } }
    }

    /// The transfers that are under way, by job.
    var underWay: [Running] { active.values.sorted { $0.job < $1.job } }

    /// Returns the number of transfers under way that were begun at a host.
    func count(at host: String) -> Int { active.values.count { $0.request.url.hostKey == host } }

    // MARK: - What the engine asks for

    func start(_ requests: [TransferRequest]) {
        for request in requests {
            guard life.acts() else { return }
            world.promises.starts(request, of: life)
            guard let turn = request.turn else {
                begin(request)
                continue
            }
            inHand[turn.host, default: []].append(request)
            beginNext(at: turn.host)
        }
    }

    func confirm(_ jobs: [JobID]) {
        for job in jobs {
            guard life.acts() else { return }
            world.promises.confirms(job)
            let rest = active[job]?.afterConfirmation
            active[job]?.afterConfirmation = nil
            rest?()
        }
    }

    func survivingSegments(
        of job: JobID,
        at partialPath: String,
        total: Int64,
        validator: Validator
    ) -> SegmentMap? { nil }

    func stop(_ jobs: [JobID]) {
        for job in jobs {
            guard life.acts() else { return }
            if takeFromHand([job]) { continue }
            guard let running = active[job] else { continue }
            life.after(0.002) { [unowned self] in end(running, .stopped) }
        }
    }

    func recall(_ jobs: [JobID]) {
        guard life.acts() else { return }
        for job in jobs { _ = takeFromHand([job]) }
    }

    func release(_ host: String) {
        guard life.acts() else { return }
        busyUntil[host] = nil
    }

    func limitRate(to rate: Int64?) {}

    func holdWriting() -> Bool {
        life.isWritingHeld = true
        return true
    }

    func goOnWriting() { life.isWritingHeld = false }

    /// Ends all transfers together with the daemon, which hears no more of them.
    func end() { (active, inHand) = ([:], [:]) }

    /// Has all connections lost in a while, as after a suspend.
    func loseConnections(after seconds: Double) {
        for running in underWay {
            let failure = JobFailure(.stalled, "it sent almost nothing for too long")
            life.after(seconds) { [unowned self] in end(running, .interrupted(failure, retryAfter: nil)) }
        }
    }

    // MARK: - Requests

    private func beginNext(at host: String) {
        while let next = inHand[host]?.first, count(inTurnOf: host) < next.turn?.most ?? .max {
            inHand[host]?.removeFirst()
            if inHand[host]?.isEmpty == true { inHand[host] = nil }
            begin(next)
        }
    }

    private func count(inTurnOf host: String) -> Int { active.values.count { $0.request.turn?.host == host } }

    /// Takes requests back that were not sent; returns whether there was one.
    private func takeFromHand(_ jobs: Set<JobID>) -> Bool {
        var found = false
        for host in inHand.keys.sorted() {
            for request in inHand[host] ?? [] where jobs.contains(request.job) {
                found = true
                report(request.job, .ended(.unsent))
            }
            inHand[host]?.removeAll { jobs.contains($0.job) }
            if inHand[host]?.isEmpty == true { inHand[host] = nil }
        }
        return found
    }

    private func begin(_ request: TransferRequest) {
        guard active[request.job] == nil else {
            return world.promises.breaks(
                .oneTransfer,
                "\(request.job) has a second transfer beside its first"
            )
        }
        let running = Running(request)
        world.promises.asks(running, of: life)
        active[request.job] = running
        send(running)
    }

    /// Sends a request, the first one or that after a redirect.
    func send(_ running: Running) {
        let resume = running.request.resume
        let reaction = world.ask(running.url, resume: resume)
        life.after(reaction.delay) { [unowned self] in
            guard active[running.job] === running else { return }
            switch reaction.outcome {
            case .unreached(let failure):
                end(running, .hindered(failure, by: .unreached(host: running.url.hostKey)))
            case .failed(let failure): end(running, .interrupted(failure, retryAfter: nil))
            case .untrusted(let failure):
                end(running, .hindered(failure, by: .certificate(host: running.url.hostKey)))
            case .answered(let head, let file):
                running.hasAnswer = true
                world.promises.places.answers(running.request.url.hostKey, at: world.now)
                answered(running, head, file, reaction.breaks)
            }
        }
    }

    private func answered(
        _ running: Running,
        _ head: ResponseHead,
        _ file: ServerFile,
        _ breaks: (how: Reaction.Break, share: Double)?
    ) {
        let verdict = ResponseVerdict(
            to: head,
            url: running.url,
            resume: running.request.resume,
            policy: Self.policy,
            now: world.reading.wall
        )
        world.coverage.note(verdict)
        switch verdict {
        case .accept(let start): accept(running, start, file, breaks)
        case .acceptIfPicture(let start, let failure):
            // It is none.
            let isRestart = if case .restarted = start.mode { true } else { false }
            end(running, isRestart ? .interrupted(failure, retryAfter: nil) : .refused(failure))
        case .complete(let length):
            let resume = running.request.resume
            report(
                running.job,
                .began(
                    TransferStart(mode: .resumed, offset: length, total: length, validator: resume?.validator)
                )
            )
            end(running, .completed(length: length, lengthProven: true))
        case .mustRestart(let reason): end(running, .mustRestart(reason: reason))
        case .redirect(let target): follow(running, to: target)
        case .interrupted(let failure, let retryAfter):
            let fails = failure.code == .http(503) && retryAfter == nil
            end(
                running,
                fails
                    ? .hindered(failure, by: .hostFails(host: running.url.hostKey))
                    : .interrupted(failure, retryAfter: retryAfter)
            )
        case .busy(let failure, let seconds):
            let host = running.url.hostKey
            busyUntil[host] = max(busyUntil[host] ?? 0, world.seconds + min(max(seconds ?? 30, 1), 604_800))
            end(running, .hindered(failure, by: .hostAsksToWait(host: host, seconds: seconds)))
        case .refused(let failure): end(running, .refused(failure))
        }
    }

    private func follow(_ running: Running, to target: JobURL) {
        running.redirects += 1
        guard running.redirects <= Self.policy.maximumRedirects else {
            return end(running, .refused(JobFailure(.tooManyRedirects, "it redirects too often")))
        }
        running.url = target
        let host = target.hostKey
        if host != running.request.url.hostKey, let until = busyUntil[host], until > world.seconds {
            let failure = JobFailure(
                .http(429),
                "\(host), where the server redirects to, asks everybody to wait"
            )
            let hindrance = Hindrance.hostAsksToWait(host: host, seconds: until - world.seconds)
            return end(running, .hindered(failure, by: hindrance))
        }
        if world.isPaced(host) { report(running.job, .requested(host: host)) }
        send(running)
    }

    // MARK: - Reports

    func report(_ job: JobID, _ report: TransferReport) { life.post(.transfers([(job, report)])) }

    func isUnderWay(_ running: Running) -> Bool { active[running.job] === running }

    /// Reports the end of a transfer, if it is still under way.
    func end(_ running: Running, _ end: TransferEnd) {
        guard active[running.job] === running else { return }
        active[running.job] = nil
        spill(running, end)
        world.coverage.note(end)
        world.promises.ended(running, end)
        report(running.job, .ended(end))
        guard let host = running.request.turn?.host else { return }
        if case .hindered = end {
            _ = takeFromHand(Set((inHand[host] ?? []).map(\.job)))
        } else {
            beginNext(at: host)
        }
    }
}
