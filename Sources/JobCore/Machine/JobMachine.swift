/// One job's way through its states: every decision about it, and no deed.
///
/// Inputs come in with a context (the time, what to go by); what follows comes out as a ``JobDecision``:
/// events, moves in the queues, deeds for the outside. An input that has come too late to mean anything
/// (a report of a transfer that is being stopped, say) changes nothing; one that can't have happened
/// changes nothing either, and is objected to.
///
/// The states and what leads out of them:
///
/// - `queued` → `downloading` with a permit.
/// - `downloading` → `stored` when published; `waiting` when a try is cut
///   off; `failed` when no try can help.
/// - `waiting` → `queued` when its time has come.
/// - `stored` → `detecting` when a detector takes it → `done`; straight to
///   `done` with the result of another document of the same bytes.
/// - any but the final ones → `paused`, and from there back to `queued` or `stored`.
/// - any but `done` → `cancelled`.
/// - `failed`, `cancelled` → `queued` on request; `done` → `stored` to be looked at again.
///
/// Here is what an input means beside what is under way; what it does to the job is said in ``JobDraft``.
public struct JobMachine: Hashable, Sendable {
    @usableFromInline var draft: JobDraft
    /// What is being done for it.
    public private(set) var activity: JobActivity = .idle

    /// A machine for a job as it was stored.
    public init(job: Job) { draft = JobDraft(job) }

    /// The job as it is to be stored.
    @inlinable public var job: Job { draft.job }

    /// Whether the machine must be kept in memory: something is under way.
    ///
    /// All others are in the store, and come from there when they are needed.
    public var isLive: Bool {
        draft.job.state == .downloading || draft.job.state == .detecting || activity != .idle
    }

    /// Whether whoever looks at the document ends without an answer, so that nobody is to look
    /// again before somebody asks for it.
    ///
    /// That may be the daemon itself, which finds the attempts written down when it starts.
    public var isNotToBeLookedAt: Bool { draft.isNotToBeLookedAt }

    /// Takes one input, and says what follows from it.
    public mutating func handle(_ input: JobInput, in context: inout JobContext) -> JobDecision {
        if !take(input, in: &context) {
            let state = draft.job.state.rawValue
            context.object("\(input.kind) can't happen to a job that is \(state), with \(activity.words)")
        }
        var decision = context.takeDecision()
        decision.isDirty = draft.takeChange(hasConsequences: decision.hasConsequences)
        decision.canWait = decision.isDirty && isWorthLittle(after: input)
        return decision
    }

    /// Takes an input; false when it can't have happened.
    private mutating func take(_ input: JobInput, in context: inout JobContext) -> Bool {
        switch input {
        case .permitGranted(let length, let boot):
            permitGranted(partialLength: length, boot: boot, in: &context)
        case .transfer(let report, let counts): return take(report, counts: counts, in: &context)
        case .roomRefused(let failure): return roomRefused(failure, in: &context)
        case .storage(let report): return take(report, in: &context)
        case .settled(let length):
            if activity.isTransfer { draft.settled(length: length) }
        case .retryDue:
            // It may have been steered away: its timer is still there.
            if draft.job.state == .waiting { draft.requeue(while: activity, in: &context) }
        case .recovered(let publication): return recovered(publication, in: &context)
        case .detectionBegan, .detectionDeferred, .detectionInterrupted, .detectionEnded, .detectionShared:
            return takeDetection(input, in: &context)
        case .pause: activity = draft.pause(while: activity, in: &context)
        case .resume: draft.resume(while: activity, in: &context)
        case .cancel: activity = draft.cancel(while: activity, in: &context)
        case .retry(let url, let keepsHeaders):
            activity = draft.retry(url: url, keepsHeaders: keepsHeaders, while: activity, in: &context)
        case .detect(let demand): draft.detectAgain(demand, in: &context)
        case .prioritize(let priority): draft.prioritize(priority, while: activity, in: &context)
        }
        return true
    }

    // MARK: - Permits

    private mutating func permitGranted(partialLength: Int64?, boot: String?, in context: inout JobContext) {
        guard draft.job.state == .queued, activity == .idle else {
            // The permit was given to a job that was steered away meanwhile.
            return context.move(.releasePermit)
        }
        activity = draft.begin(partialLength: partialLength, boot: boot, in: &context)
    }

    /// The rest of the file has no room: stops before the disk is full.
    private mutating func roomRefused(_ failure: JobFailure, in context: inout JobContext) -> Bool {
        switch (activity, draft.job.state) {
        case (.transferring, .downloading):
            activity = .stopping
            context.ask(for: .stopTransfer)
        case (.idle, .queued):
            // It had a permit already, and would not get far with it.
            context.move(.releasePermit)
        // It is being stopped for another reason.
        case (.stopping, _): return true
        default: return false
        }
        draft.waitForRoom(failure, in: &context)
        return true
    }

    // MARK: - Transfers

    private mutating func take(
        _ report: TransferReport,
        counts: Bool,
        in context: inout JobContext
    ) -> Bool {
        switch (activity, report) {
        case (.transferring, .restarting(let reason)): draft.restarting(because: reason, in: &context)
        case (.transferring(let isFresh, _), .began(let start)):
            activity = .transferring(isFresh: isFresh, startedAt: start.offset)
            draft.began(start, in: &context)
        case (.transferring, .progressed(let bytes)): draft.progressed(to: bytes, in: &context)
        case (.transferring, .synced(let bytes)): draft.job.durableBytes = bytes
        case (.transferring, .kept(let map)):
            draft.job.segments = map
            context.ask(for: .confirmTransfer)
        case (.transferring(let isFresh, let startedAt), .ended(let end)):
            activity = draft.ended(
                end,
                isFresh: isFresh,
                startedAt: startedAt,
                counts: counts,
                in: &context
            )
        case (.stopping, .progressed(let bytes)):
            if draft.job.state != .cancelled { draft.arrived(bytes) }
        case (.stopping, .kept(let map)):
            // Not where the partial has been given up meanwhile.
            if draft.job.totalBytes != nil { draft.job.segments = map }
        case (.stopping, .ended(let end)):
            activity = .idle
            draft.stopped(end, in: &context)
        // It was on its way when the transfer was stopped. Nobody confirms a restart: the partial stays as
        // the store knows it.
        case (.stopping, .restarting), (.stopping, .began), (.stopping, .synced): break
        case (.idle, _), (.sealing, _), (.publishing, _): return false
        }
        return true
    }

    // MARK: - Partials and documents

    private mutating func take(_ report: StorageReport, in context: inout JobContext) -> Bool {
        switch (activity, report) {
        case (.sealing, .sealed(let partial, let path, let freeName)):
            activity = draft.sealed(partial, path: path, freeName: freeName, in: &context)
        case (.sealing, .sealFailed(let failure, let keepsPartial)):
            activity = .idle
            draft.sealFailed(failure, keepsPartial: keepsPartial, in: &context)
        case (.publishing, .published(let path, let mark)):
            activity = .idle
            draft.published(path: path, mark: mark, in: &context)
        case (.publishing, .nameTaken(let freeName)):
            guard let sealed = draft.job.reservation?.sealed else { return false }
            activity = draft.publish(Job.Reservation(name: freeName, sealed: sealed), in: &context)
        case (.publishing, .publishFailed(let failure, let keepsPartial)):
            activity = .idle
            draft.publishFailed(failure, keepsPartial: keepsPartial, in: &context)
        case (_, .hashed(let sha256)):
            guard draft.job.path != nil else { return false }
            draft.hashed(sha256, in: &context)
        case (_, .hashFailed):
            guard draft.job.path != nil else { return false }
            draft.hashFailed(in: &context)
        case (.idle, .synced(let length)): draft.synced(length: length)
        case (.idle, .syncFailed):
            if draft.job.path == nil, draft.job.bytes > 0 { draft.discardBadPartial(in: &context) }
        case (.transferring, .syncFailed):
            draft.trust.isBad = true
            draft.job.state = .queued
            activity = .stopping
            context.ask(for: .stopTransfer)
        case (.stopping, .syncFailed), (.sealing, .syncFailed): draft.trust.isBad = true
        // A partial that rested is used again.
        case (_, .synced), (.publishing, .syncFailed): break
        case (_, .sealed), (_, .sealFailed), (_, .published), (_, .nameTaken), (_, .publishFailed):
            return false
        }
        return true
    }

    /// The daemon has started again: nothing is under way, whatever the state says.
    private mutating func recovered(_ publication: Publication?, in context: inout JobContext) -> Bool {
        guard activity == .idle else { return false }
        if let publication { activity = draft.recover(publication, in: &context) }
        if activity == .idle { draft.recover(wasPublished: publication != nil, in: &context) }
        return true
    }

    // MARK: - Detection

    private mutating func takeDetection(_ input: JobInput, in context: inout JobContext) -> Bool {
        switch (draft.job.state, input) {
        case (.stored, .detectionBegan): draft.detectionBegan(in: &context)
        case (.stored, .detectionDeferred): draft.detectionDeferred(in: &context)
        case (.stored, .detectionShared(let result)):
            // Who asked for it to be looked at gets a detector.
            if draft.job.detectionDemand == nil { draft.end(with: result, in: &context) }
        case (.detecting, .detectionInterrupted): draft.detectionInterrupted()
        case (.detecting, .detectionEnded(let result)): draft.detectionEnded(result, in: &context)
        // It was taken from the detector when that had its answer on the way.
        case (_, .detectionEnded): return draft.job.path != nil
        default: return false
        }
        return true
    }

    // MARK: - What can wait

    /// Bytes that are fetched again rather than have each small file's beginning written by itself.
    static let smallLength: Int64 = 1 << 20

    /// Whether all there is of the job is the beginning of its first transfer, of a small file.
    ///
    /// It begins anew where that was lost. Later ones replace what a partial and the store agree on.
    private func isWorthLittle(after input: JobInput) -> Bool {
        switch input {
        // The transfer waits to hear of it.
        case .transfer(.restarting, _): return false
        case .permitGranted, .transfer: break
        default: return false
        }
        guard draft.job.attempts == 1, draft.job.state == .downloading, draft.job.segments == nil else {
            return false
        }
        return max(draft.job.bytes, draft.job.totalBytes ?? 0) <= Self.smallLength
    }
}
