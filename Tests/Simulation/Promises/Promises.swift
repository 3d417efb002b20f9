import JobModel
import Vocabulary

@testable import JobCore
@testable import JobEngine

/// What is promised of the engine, looked at from outside of it.
final class Promises {
    unowned let world: World
    /// The first promise that was broken.
    private(set) var broken: BrokenPromise?
    /// The jobs that somebody has steered since they ended, which may go on.
    private var steered: Set<JobID> = []
    /// The numbers of endings that were given.
    private var endings: Set<Int64> = []
    /// The way in which the last transfer of each job ended.
    private var ends: [JobID: TransferEnd] = [:]
    /// The seconds at which a document of each host arrived last.
    private(set) var arrivedAt: [String: Double] = [:]
    /// The times since which jobs wait as they do, and at which hosts were last released.
    var waitsSince: [JobID: Tick] = [:]
    var releasedAt: [String: Tick] = [:]
    /// The times of what isn't as it should be, and may only be on its way there.
    var doubts: [String: Tick] = [:]
    var hosts = HostOracle()
    private var leases = LeaseOracle()
    var places = PlacesOracle()
    var fairness = FairnessOracle()
    private(set) lazy var lists = ListOracle(world)
    /// The turns by the engine itself that did nothing, and since when they are counted.
    private var idleTurns = 0
    private var idleSince: Tick = 0
    private var actionsBefore = 0
    /// The turns by the engine itself in the present minute.
    private var ownTurns = (count: 0, since: Tick(0))

    init(_ world: World) { self.world = world }

    var isBroken: Bool { broken != nil }

    func breaks(_ promise: Promise, _ words: String) {
        guard broken == nil else { return }
        broken = BrokenPromise(promise: promise, words: words)
        world.tell("\(BrokenPromise(promise: promise, words: words))")
    }

    private func expect(_ holds: Bool, _ promise: Promise, _ words: @autoclosure () -> String) {
        if !holds { breaks(promise, words()) }
    }

    // MARK: - Lives and turns

    func begins(_ life: Life) {
        doubts = [:]
        world.rows.begin()
        hosts.begin(life, rows: world.rows)
        leases.begin(at: life.moment)
        places = PlacesOracle()
        (idleTurns, idleSince, actionsBefore) = (0, world.now, 0)
    }

    func turnBegins(_ inputs: [EngineInput], of life: Life) {
        actionsBefore = life.actions
        let now = life.moment
        for case .transfers(let reports) in inputs {
            for (job, report) in reports {
                let home = life.world.rows.jobs[job]?.url.hostKey ?? ""
                hosts.hear(report, of: job, at: home, now: now)
                if case .ended(let end) = report { ends[job] = end }
            }
        }
    }

    func turnEnded(_ inputs: [EngineInput], _ core: EngineCore, of life: Life) {
        let status = core.status
        expect(
            status.jobsByState == world.rows.present,
            .counts,
            "status says \(status.jobsByState), the store has \(world.rows.present)"
        )
        if let gap = world.rows.gap { breaks(.events, gap) }
        for hold in status.holds { world.coverage.note("hold \(hold.kind.rawValue)") }
        world.coverage.note(core, inputs)
        if inputs.isEmpty { countOwnTurn(core, of: life) }
        // While a request is in hand, the engine looks ten times a second whether its beginning may be written.
        guard inputs.isEmpty, life.actions == actionsBefore, core.bench.queues.transfers.aheadCount == 0
        else { return }
        // It may look twice a second whether something is over.
        if world.now - idleSince > 60_000_000 { (idleTurns, idleSince) = (0, world.now) }
        idleTurns += 1
        expect(
            idleTurns < 200,
            .rests,
            "\(idleTurns) turns in a minute had nothing to do: \(Self.wakes(core, life.moment))"
        )
    }

    /// Counts the turns for which nothing has come, whatever they do.
    private func countOwnTurn(_ core: EngineCore, of life: Life) {
        if world.now - ownTurns.since > 60_000_000 { ownTurns = (0, world.now) }
        ownTurns.count += 1
        expect(
            ownTurns.count < 3000,
            .rests,
            "\(ownTurns.count) turns in a minute came of themselves: \(Self.wakes(core, life.moment))"
        )
    }

    /// Returns for what the engine would have a turn by itself, in seconds from now.
    private static func wakes(_ core: EngineCore, _ now: Moment) -> String {
        let (bench, queue) = (core.bench, core.bench.queues.transfers)
        let wakes: [(String, Moment?)] = [
            ("retries", bench.queues.retries.next), ("held changes", bench.ledger.heldDueAt),
            ("attention", core.attention.lapsesAt), ("leases", bench.leases.lapsesAt),
            ("hours", core.hours.looksAt),
            ("eviction", core.eviction.writesAt), ("storage", core.storage.looksAt(now: now)),
            ("line", core.transfers.decidesAt), ("hosts", queue.opensAt(now: now)),
            ("displacement", queue.displacesAt(now: now)), ("yields", queue.yieldsUntil(now: now)),
            ("bulk", core.bulk.count > 0 ? now : nil), ("permits", core.transfers.hasMore ? now : nil),
            ("documents", core.detections.hasMore ? now : nil),
        ]
        return wakes.compactMap { name, at in at.map { "\(name) in \($0.seconds(since: now))" } }.joined(
            separator: ", "
        )
    }

    // MARK: - Rows

    /// Looks at a row before and after a transaction.
    func changed(_ before: Job?, _ after: Job?) {
        guard let after else {
            if let before {
                lists.forgets(before)
                expect(before.state.isFinal, .endsOnce, "\(before.id) is forgotten although it hasn't ended")
            }
            return
        }
        let state = after.state
        world.coverage.note("state \(state.rawValue)")
        if let before, before.state != state {
            world.coverage.note("edge \(before.state.rawValue) → \(state.rawValue)")
            world.tell("\(after.id) \(before.state.rawValue) → \(state.rawValue)")
            if before.state.isFinal {
                expect(
                    steered.contains(after.id),
                    .endsOnce,
                    "\(after.id) was \(before.state), and is \(state)"
                )
            }
            if state.isFinal { steered.remove(after.id) }
            if after.path != nil, before.path == nil { arrivedAt[after.url.hostKey] = world.seconds }
        }
        if state == before?.state, after.waiting != before?.waiting {
            let words = after.waiting.map { waiting in
                let seconds = world.life.map { waiting.until.seconds(since: $0.moment) } ?? 0
                return "waits for \(Int(seconds)) s (\(waiting.reason.code))"
            }
            world.tell("\(after.id) \(words ?? "waits no more")")
        }
        number(before, after)
        if state == .done {
            expect(after.path != nil, .oneDocument, "\(after.id) is done without a document")
        }
        if state == .failed {
            expect(after.failure != nil, .endsOnce, "\(after.id) has failed without a reason")
        }
        if after.waiting != before?.waiting { waitsSince[after.id] = after.waiting == nil ? nil : world.now }
        if state == .waiting { expect(after.waiting != nil, .wakes, "\(after.id) waits for nothing") }
        for code in [after.failure?.code, after.waiting?.reason.code] {
            if let code { world.coverage.note("failure \(code.rawValue)") }
        }
        countTries(before, after)
    }

    private func number(_ before: Job?, _ after: Job) {
        for ending in [JobEnding.stored, .done, .failed, .cancelled] {
            guard let number = after.endings[ending], number != before?.endings[ending] else { continue }
            expect(
                endings.insert(number).inserted,
                .endsOnce,
                "ending \(number) was given twice, to \(after.id)"
            )
        }
    }

    private func countTries(_ before: Job?, _ after: Job) {
        guard let before, after.fruitlessTries > before.fruitlessTries, let end = ends[after.id] else {
            return
        }
        let isOwn =
            switch end {
            case .hindered(_, .hostAsksToWait), .hindered(_, .certificate), .hindered(_, .paced), .stopped,
                .unsent:
                false
            default: true
            }
        expect(isOwn, .tries, "\(after.id) has \(after.fruitlessTries) tries after \(end)")
    }

    // MARK: - People

    func steers(_ job: JobID) { steered.insert(job) }

    func accepted(_ answer: AcceptedBatch, of submission: Submission) {
        expect(
            answer.jobs.count == submission.items.count,
            .answers,
            "\(answer.batch.id) has \(answer.jobs.count) jobs of \(submission.items.count)"
        )
        for job in answer.jobs {
            expect(
                world.rows.jobs[job] != nil || steered.contains(job),
                .durable,
                "\(job) was accepted without a row"
            )
        }
    }

    /// A batch's lease runs for so many seconds from now.
    func renews(_ batch: BatchID, at now: Moment) {
        guard let lease = world.rows.lease(of: batch) else { return }
        leases.renew(batch, until: now.adding(seconds: Double(lease.seconds)))
    }

    func releases(_ host: String) { hosts.release(host) }

    /// A person was told that a host is released.
    func released(_ host: String) { releasedAt[host] = world.now }

    func reloads(_ before: SimulatedSettings) { hosts.reload(before, at: world.now) }

    // MARK: - What the engine does

    func starts(_ request: TransferRequest, of life: Life) {
        guard let row = world.rows.jobs[request.job] else {
            return breaks(.durable, "\(request.job) is fetched before its row is there")
        }
        if let resume = request.resume {
            expect(
                row.validator == resume.validator,
                .durable,
                "\(row.id) goes on from \(resume.validator), its row says \(String(describing: row.validator))"
            )
        } else {
            expect(
                row.validator == nil || row.bytes == 0,
                .durable,
                "\(row.id) begins anew while its row has \(row.bytes) bytes"
            )
        }
    }

    /// Looks at a request that goes out.
    func asks(_ running: SimulatedTransfers.Running, of life: Life) {
        let host = running.request.url.hostKey
        world.tell("\(running.job) asks \(host)")
        let permit = life.core?.bench.queues.transfers.active[running.job]?.since
        if let words = hosts.ask(host, permit: permit, now: life.moment) {
            breaks(.held, "\(running.job): \(words)")
        }
        if let batch = world.rows.jobs[running.job]?.batch, let lease = world.rows.lease(of: batch),
            let words = leases.ask(batch, lease, permit: permit)
        {
            breaks(.leased, "\(running.job): \(words)")
        }
        let here = life.transfers.count(at: host)
        let limits = hosts.limits(world.settings, at: world.now)
        let permits = life.core?.bench.queues.transfers.activeJobs ?? []
        let words = places.ask(
            host,
            beside: life.transfers.underWay,
            permits: permits.compactMap { world.rows.jobs[$0]?.url.hostKey },
            most: limits.total,
            trials: world.settings.trials,
            isChosen: running.request.turn == nil,
            at: world.now
        )
        if let words { breaks(.connections, words) }
        expect(here < limits.perHost, .connections, "\(host) has \(here + 1) transfers, of \(limits.perHost)")
        if let host = world.web.place(of: running.request.url)?.host, let pace = host.pace {
            let words = hosts.spend(host.key, pace, at: world.now)
            if let words { breaks(.pace, words) }
        }
        fairness.began(running, in: world)
    }

    func confirms(_ job: JobID) {
        guard let row = world.rows.jobs[job] else { return }
        expect(
            row.bytes == 0 && row.validator == nil,
            .durable,
            "\(job) begins anew although its row has \(row.bytes) bytes"
        )
    }

    func ended(_ running: SimulatedTransfers.Running, _ end: TransferEnd) {
        world.tell("\(running.job) ends: \(Coverage.words(end))")
        fairness.ended(running)
        places.ends(running)
    }

    func discards(_ job: JobID) {
        guard let row = world.rows.jobs[job] else { return }
        expect(
            row.bytes == 0 || row.path != nil,
            .durable,
            "\(job)'s partial goes, and its row has \(row.bytes) bytes"
        )
    }

    func publishes(_ job: JobID, _ reservation: Job.Reservation) {
        let row = world.rows.jobs[job]
        expect(
            row?.reservation == reservation,
            .durable,
            "\(job) is published as \(reservation.name), which isn't reserved"
        )
    }

    func appears(_ path: String, _ job: JobID, _ version: String, length: Int64, of whole: Int64) {
        expect(length == whole, .wholeDocuments, "\(path) has \(length) of \(whole) bytes of \(version)")
        for (other, stored) in world.disk.documents where stored.job == job && other != path {
            breaks(.oneDocument, "\(job) has two documents: \(other) and \(path)")
        }
    }

    func looks(at request: DetectionRequest) {
        let row = world.rows.jobs[request.job]
        expect(
            row?.state == .detecting && row?.detectionAttempts ?? 0 > 0,
            .durable,
            "\(request.job) is looked at, and its row says \(String(describing: row?.state))"
        )
        expect(
            world.disk.documents[request.path] != nil,
            .oneDocument,
            "\(request.path) is looked at and isn't there"
        )
    }

    func published(_ events: [JobEvent]) {
        for (place, event) in events.enumerated() {
            let expected = world.log.last + 1 + Int64(place)
            expect(event.id == expected, .events, "event \(event.id) is told after \(expected - 1)")
            world.coverage.note("event \(event.kind.parts.word.rawValue)")
        }
        if let last = events.last?.id {
            expect(last <= world.rows.lastEvent, .durable, "event \(last) is told before it is in the store")
        }
    }
}
