import JobModel
import JobStore
import Vocabulary

@testable import JobCore
@testable import JobEngine

/// Looks at what rests, which has to say what it waits for.
extension Promises {
    /// The microseconds for which something may be on its way.
    private static let grace: Tick = 120_000_000

    func look(_ life: Life) {
        guard let core = life.core, life.busyUntil <= world.now else { return }
        var seen: Set<String> = []
        let doubtFor = { [self] (promise: Promise, key: String, words: String, grace: Tick) in
            seen.insert(key)
            let since = doubts[key] ?? world.now
            doubts[key] = since
            if world.now - since > grace {
                breaks(promise, "for \((world.now - since) / 1_000_000) s \(words)")
            }
        }
        let doubt = { doubtFor($0, $1, $2, Self.grace) }
        if !core.isHeldUp { for job in world.rows.unfinished.sorted() { look(at: job, core, life, doubt) } }
        lookAtQueue(core, life, doubt)
        lookAtHolds(core, doubtFor)
        let (fetched, looked) = (world.rows.counts[.downloading] ?? 0, world.rows.counts[.detecting] ?? 0)
        let work =
            core.bench.queues.transfers.activeCount + core.bench.queues.documents.activeCount + fetched
            + looked
        if core.bench.jobs.count > work + 8, core.bulk.count == 0, !core.isHeldUp {
            doubt(.bounded, "memory", "\(core.bench.jobs.count) jobs are in memory, with work for \(work)")
        }
        for (request, since) in people where world.now - since > Self.grace && !core.isHeldUp {
            doubt(.answers, "request \(request)", "nobody has answered a request")
        }
        lists.look(core)
        if world.scenario.demandsFairness, let words = fairness.look(life) { breaks(.fair, words) }
        doubts = doubts.filter { seen.contains($0.key) }
    }

    private typealias Doubt = (_ promise: Promise, _ key: String, _ words: String) -> Void

    private var people: [(key: Int, value: Tick)] { world.people.waiting.sorted { $0.key < $1.key } }

    private func look(at id: JobID, _ core: EngineCore, _ life: Life, _ doubt: Doubt) {
        guard let job = world.rows.jobs[id] else { return }
        switch job.state {
        case .waiting:
            guard let until = job.waiting?.until else { return }
            if until > life.moment { return lookAtReleased(job, doubt) }
            doubt(.wakes, "\(id) waits", "\(id) has waited longer than it says")
        case .downloading:
            guard !life.transfers.has(id), !life.documents.isBusy(with: id) else { return }
            guard world.seconds >= world.disk.hangsUntil else { return }
            doubt(.permits, "\(id) downloads", "\(id) is downloading, and nobody does anything for it")
        case .queued:
            let queue = core.bench.queues.transfers
            guard !queue.isQueued(id), queue.active[id] == nil else { return }
            doubt(.wakes, "\(id) is queued", "\(id) is queued, and no queue has it")
        case .detecting:
            guard !life.detectors.isLooking(at: id) else { return }
            doubt(.permits, "\(id) is looked at", "\(id) is detecting, and nobody looks at it")
        case .stored:
            let gate = core.bench.queues.documents
            guard gate.isOpen, gate.activeCount == 0, !life.documents.isBusy(with: id),
                core.status.holds.isEmpty
            else { return }
            doubt(.wakes, "\(id) is stored", "\(id) waits to be looked at, and nobody looks at anything")
        case .paused, .done, .failed, .cancelled: break
        }
    }

    private func lookAtReleased(_ job: Job, _ doubt: Doubt) {
        let host = job.url.hostKey
        guard job.toldOf.contains(.host), !job.toldOf.contains(.otherHost), let released = releasedAt[host],
            let since = waitsSince[job.id], since < released
        else { return }
        doubt(.released, "\(job.id) waits for \(host)", "\(job.id) waits for \(host), which was released")
    }

    private func lookAtQueue(_ core: EngineCore, _ life: Life, _ doubt: Doubt) {
        let queue = core.bench.queues.transfers
        for job in queue.activeJobs.sorted() where !life.transfers.has(job) {
            doubt(.permits, "\(job)'s permit", "\(job) has a permit, and no transfer")
        }
        let (taken, looked) = (core.bench.queues.documents.activeCount, world.rows.counts[.detecting] ?? 0)
        if taken > looked {
            doubt(.permits, "detectors", "\(taken) detectors are taken, and \(looked) documents looked at")
        }
        let isFree = queue.underWayCount < world.settings.total && !core.isHeldUp && core.mayBegin
        let isHeld = core.status.holds.contains { $0.kind != .host }
        for host in queue.hostStatuses(now: life.moment).sorted(by: { $0.host < $1.host }) {
            if let until = host.waiting?.until, until < life.moment {
                if host.queued > 0, isFree, !isHeld {
                    doubt(.wakes, "\(host.host) held", "\(host.host) is held beyond its time")
                }
            } else if host.waiting != nil {
                // It has been asked, and its answer is awaited.
                guard host.waiting?.until == nil, host.active == 0, host.queued > 0 else { continue }
                doubt(
                    .wakes,
                    "\(host.host) asked",
                    "\(host.host) waits for the answer to a request that nobody sends"
                )
            } else if isFree, !isHeld, host.active == 0, host.queued > 0, host.pace == nil {
                doubt(
                    .wakes,
                    "\(host.host) idle",
                    "\(host.host) has \(host.queued) jobs queued, and none is begun"
                )
            }
        }
    }

    /// Looks at holds, which must not outlast what they are for.
    private func lookAtHolds(_ core: EngineCore, _ doubt: (Promise, String, String, Tick) -> Void) {
        let waits = world.rows.unfinished.contains { id in
            guard let job = world.rows.jobs[id], job.state == .queued else { return false }
            return world.web.place(of: job.url)?.host.isAlwaysWell ?? false
        }
        let disk = world.disk
        let isDiskWell = world.seconds > max(disk.isFullUntil, disk.hangsUntil, disk.isReadOnlyUntil)
        for hold in core.status.holds {
            let words = "there is a hold \(hold.kind.rawValue) for nothing (\(hold.reason))"
            switch hold.kind {
            case .network where !world.isLineDown && waits:
                // A few hosts are tried each five minutes, one after the other.
                let rounds = Tick(world.scenario.hosts.count / 3 + 4)
                doubt(.wakes, "hold network", words, rounds * 330_000_000)
            case .disk where isDiskWell && world.seconds > world.storeIsFullUntil,
                .storage where isDiskWell:
                doubt(.wakes, "hold \(hold.kind.rawValue)", words, Self.grace)
            default: break
            }
        }
    }

    /// Returns the fields in which two jobs differ.
    private static func difference(_ job: Job, _ other: Job) -> String {
        zip(Mirror(reflecting: job).children, Mirror(reflecting: other).children)
            .filter { "\($0.value)" != "\($1.value)" }
            .map { "\($0.label ?? "?") is \($0.value), and was \($1.value)" }.joined(separator: "; ")
    }

    /// Looks at everything once more, at the end.
    func finish() throws {
        world.kill()
        let store = try JobStore(path: world.storePath)
        let ids = world.rows.jobs.keys.sorted()
        for job in try store.jobs(ids).sorted(by: { $0.id < $1.id }) {
            guard var written = world.rows.jobs[job.id] else { continue }
            // In the store it has whole microseconds.
            if abs(job.struggled - written.struggled) < 1e-5 { written.struggled = job.struggled }
            if job == written { continue }
            return breaks(.stored, "\(job.id) is not as it was written: \(Self.difference(job, written))")
        }
        if try store.jobs(ids).count != ids.count { breaks(.stored, "rows are missing") }
        try world.log.catchUp(from: store)
        for (place, event) in world.log.events.enumerated() where event.id != Int64(place + 1) {
            return breaks(.events, "event \(event.id) is the log's line \(place + 1)")
        }
        if world.log.last != world.rows.lastEvent {
            breaks(.events, "the log ends with \(world.log.last), the store with \(world.rows.lastEvent)")
        }
        for job in world.rows.jobs.values where job.state == .done && job.evictedAt == nil {
            guard let path = job.path, world.disk.documents[path]?.job == job.id else {
                return breaks(
                    .oneDocument,
                    "\(job.id) is done, and its document isn't at \(job.path ?? "nowhere")"
                )
            }
        }
    }
}
