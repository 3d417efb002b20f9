import JobCore
import JobModel
import Vocabulary

/// Keeps the documents that may be removed within their maximum: removes those served least recently, and
/// begins no download for which there is no room.
struct Eviction {
    private let bench: Workbench
    /// The moment by which the times of serving are to be written.
    private var servedDueAt: Moment?
    /// The documents that were served by then, as far as that hasn't been written.
    private var served: ArraySlice<JobID> = []
    /// True if the last turn left documents to remove.
    private(set) var hasMore = false
    /// True if downloads wait because nothing may be removed.
    private var isFull = false

    /// The longest time until the serving of documents is written, in seconds; a crash costs no more than
    /// that.
    private static let servedInterval = 60.0

    init(bench: Workbench) { self.bench = bench }

    /// The moment at which to write the times of serving; nil if nothing was served.
    var writesAt: Moment? { servedDueAt }

    private var maximum: Int64? { bench.configuration.maximumSize }

    /// Notes that documents have been served, which are written later.
    mutating func served(now: Moment) {
        servedDueAt = servedDueAt ?? now.adding(seconds: Self.servedInterval)
    }

    /// Makes room for what is there and for what is being downloaded, and handles no more jobs than so many.
    ///
    /// `isLost` says, of a document that can't be found, whether that is because none can be.
    mutating func makeRoom(
        sparing interests: [JobID: Interest],
        atMost limit: Int,
        now: Moment,
        isLost: () -> Bool = { false }
    ) throws(StoreFailure) {
        if servedDueAt.map({ $0 <= now }) ?? false || !served.isEmpty {
            try writeServed(atMost: limit, now: now)
        }
        hasMore = !served.isEmpty
        guard let maximum else {
            isFull = false
            return bench.queues.transfers.holdEvictable(false)
        }
        try refuse(bench.evictables.tooLong(maximum: maximum), now: now) { Self.tooLong($0, maximum) }
        let room = EvictableDocuments.room(in: maximum)
        if bench.evictables.bytes > room {
            // Whatever was served in the meantime stays longer.
            if served.isEmpty { try writeServed(atMost: limit, now: now) }
            if served.isEmpty {
                try evict(sparing: interests, maximum: maximum, atMost: limit, now: now, isLost)
            }
            try refuse(bench.evictables.withoutRoom(maximum: maximum), now: now) { _ in Self.full(maximum) }
        }
        hasMore = hasMore || !served.isEmpty
        isFull = bench.evictables.bytes > room && !hasMore
        // A document being removed takes up room until it is gone, which a slow disk can delay.
        let isTooSlow = bench.evictables.bytes + bench.evictables.leaving > maximum
        bench.queues.transfers.holdEvictable(bench.evictables.bytes > room || isTooSlow)
    }

    /// Keeps a document that could not be removed.
    func kept(_ job: JobID) { bench.evictables.setAside(job) }

    /// The obstacles to beginning downloads.
    var holds: [EngineHold] {
        guard isFull, let maximum, bench.queues.transfers.hasHeld else { return [] }
        let reason = Self.full(maximum).message + ": downloads of these sources wait"
        return [EngineHold(kind: .room, reason: reason)]
    }

    private mutating func evict(
        sparing interests: [JobID: Interest],
        maximum: Int64,
        atMost limit: Int,
        now: Moment,
        _ isLost: () -> Bool
    ) throws(StoreFailure) {
        let victims = bench.evictables.victims(maximum: maximum, sparing: interests, atMost: limit)
        hasMore = victims.count == limit
        try bench.fetch(victims)
        for job in victims {
            guard let live = bench.jobs[job], live.job.mayBeEvicted, let path = live.job.path else {
                bench.evictables.setAside(job)
                continue
            }
            let mark = bench.ports.documents.mark(ofDocument: path)
            if mark == nil, isLost() {
                hasMore = false
                return
            } else if mark == nil {
                // Somebody else has removed it, so it frees no room.
                bench.evictables.forget(job)
            } else if mark == live.job.documentMark {
                try bench.step(job, .evict, now: now)
            } else {
                // Somebody has changed it, so it is theirs.
                bench.evictables.setAside(job)
            }
        }
        // Those that were no longer there to remove made no room.
        if !victims.isEmpty, bench.evictables.bytes > EvictableDocuments.room(in: maximum) {
            hasMore = true
        }
    }

    /// Stops downloads, which wait until there is room.
    private func refuse(
        _ jobs: [JobID],
        now: Moment,
        because failure: (Job) -> JobFailure
    ) throws(StoreFailure) {
        for job in jobs {
            guard let live = bench.jobs[job], live.machine.isTransferring else { continue }
            try bench.step(job, .roomRefused(failure(live.job)), now: now)
        }
    }

    /// Writes which documents have been served since the last time, so many of them.
    mutating func writeServed(atMost limit: Int = .max, now: Moment) throws(StoreFailure) {
        if servedDueAt != nil || served.isEmpty {
            servedDueAt = nil
            served += bench.ports.takeServed()
        }
        let jobs = served.prefix(limit).filter { !bench.ledger.isForgotten($0) }
        served = served.dropFirst(limit)
        guard !jobs.isEmpty else { return }
        try bench.fetch(jobs)
        for job in jobs { try bench.step(job, .served(at: now.steady), now: now) }
    }

    /// Returns the failure of a job whose file is longer than all documents together may be.
    static func tooLong(_ job: Job, _ maximum: Int64) -> JobFailure {
        JobFailure(
            .diskFull,
            "the file has \(job.totalBytes ?? 0) bytes, more than fit into documents.maximum-size (\(maximum))"
        )
    }

    private static func full(_ maximum: Int64) -> JobFailure {
        JobFailure(
            .diskFull,
            "documents of sources with keep: evictable fill \(maximum) bytes (documents.maximum-size), and none of "
                + "them may be removed now"
        )
    }
}
