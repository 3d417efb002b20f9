import JobModel

/// The state machine of one job, which decides everything about it and does no I/O.
///
/// It takes inputs together with a context (the time, the retry policy) and returns a ``JobDecision``:
/// events, changes to the queues, and work for the outside. An input that comes too late to matter, such
/// as a report of a transfer that is being stopped, changes nothing. An input that should be impossible
/// changes nothing either, and is reported.
///
/// The states and their exits:
///
/// - `queued` → `downloading` with a permit.
/// - `downloading` → `stored` when published; `waiting` when an attempt is cut off; `failed` when
///   another attempt can't help; back to `queued` to give way to a job that someone looks at.
/// - `waiting` → `queued` when its time has come.
/// - `stored` → `detecting` when a detector takes it → `done`; straight to
///   `done` with the result of another document of the same bytes.
/// - any but the final ones → `paused`, and from there back to `queued` or `stored`.
/// - any but `done` → `cancelled`; one that is looked at again → `done`, as after the first look.
/// - `failed`, `cancelled` → `queued` on request; `done` → `stored` to look for faces again, or `queued` to
///   fetch a document again that was removed to make room.
///
/// This type decides what an input means given the work under way; ``JobDraft`` says what it does to the
/// job.
public struct JobMachine: Hashable, Sendable {
    @usableFromInline var draft: JobDraft
    /// The work under way for the job.
    public private(set) var activity: JobActivity = .idle

    /// Creates a machine for a job as it was stored.
    public init(job: Job) { draft = JobDraft(job) }

    /// The job as it should be stored.
    @inlinable public var job: Job { draft.job }

    /// True if the machine must stay in memory because work is under way.
    ///
    /// All other jobs are in the store, and are read from there when they are needed.
    public var isLive: Bool {
        draft.job.state == .downloading || draft.job.state == .detecting || activity != .idle
    }

    /// True if the job can be forgotten: it has ended, and nobody does anything for it any more.
    public var isForgettable: Bool {
        draft.job.state.isFinal && activity == .idle && draft.job.reservation == nil
            && !draft.job.isBeingEvicted
    }

    /// True if the daemon has ended too often while it looked at the document, so that nobody looks again
    /// until someone asks for it: attempts are counted in the store before they are made.
    public var isNotToBeLookedAt: Bool { draft.isNotToBeLookedAt }

    /// True if the running transfer can be stopped and resumed later at little cost.
    ///
    /// Without a validator nothing of the partial could be used then.
    public var canGiveWay: Bool {
        isTransferring && (draft.job.validator != nil || draft.job.bytes <= Self.littleLength)
    }

    /// True if a transfer is running that nobody has asked to stop.
    public var isTransferring: Bool {
        guard case .transferring = activity else { return false }
        return draft.job.state == .downloading
    }

    /// True if a transfer is running of which nothing has come yet, and that nobody has asked to stop.
    public var awaitsAnswer: Bool {
        guard case .transferring(_, startedAt: nil) = activity else { return false }
        return draft.job.state == .downloading
    }

    /// The most bytes that may be fetched again for the sake of another job.
    static let littleLength: Int64 = 64 << 10

    /// Handles one input and returns its consequences.
    public mutating func handle(_ input: JobInput, in context: inout JobContext) -> JobDecision {
        if !apply(input, in: &context) {
            let state = draft.job.state.rawValue
            context.object("\(input.kind) can't happen to a job that is \(state), with \(activity.words)")
        }
        var decision = context.takeDecision()
        decision.isDirty = draft.takeChange(hasConsequences: decision.hasConsequences)
        decision.canWait = decision.isDirty && isWorthLittle(after: input)
        return decision
    }

    /// Applies one input; returns false if it should be impossible.
    private mutating func apply(_ input: JobInput, in context: inout JobContext) -> Bool {
        switch input {
        case .permitGranted(let length, let surviving, let boot):
            permitGranted(partialLength: length, surviving: surviving, boot: boot, in: &context)
        case .transfer(let report, let fault): return apply(report, fault: fault, in: &context)
        case .unsent(let wasTold):
            guard activity.isTransfer else { return false }
            draft.takeBackAttempt(wasTold: wasTold)
            return apply(.ended(.unsent), fault: .own, in: &context)
        case .giveWay:
            guard isTransferring else { return false }
            activity = draft.giveWay(while: activity, in: &context)
        case .roomRefused(let failure): return roomRefused(failure, in: &context)
        case .storage(let report, let fault): return apply(report, fault: fault, in: &context)
        case .settled(let length):
            if activity.isTransfer { draft.settled(length: length) }
        case .retryDue:
            // The timer keeps running when the job is paused or cancelled.
            if draft.job.state == .waiting { draft.requeue(while: activity, in: &context) }
        case .goBehind(let until):
            if draft.job.state == .waiting { draft.goBehind(until: until, in: &context) }
        case .recovered(let publication): return recovered(publication, in: &context)
        case .detectionBegan, .detectionDeferred, .detectionInterrupted, .detectionEnded, .detectionKnown:
            return applyDetection(input, in: &context)
        case .hold: activity = draft.hold(while: activity, in: &context)
        case .release: draft.release(while: activity, in: &context)
        case .pause: activity = draft.pause(while: activity, in: &context)
        case .resume: draft.resume(while: activity, in: &context)
        case .cancel: activity = draft.cancel(while: activity, in: &context)
        case .retry(let url, let keepsHeaders):
            activity = draft.retry(url: url, keepsHeaders: keepsHeaders, while: activity, in: &context)
        case .detect(let demand): draft.detectAgain(demand, in: &context)
        case .prioritize(let priority): draft.prioritize(priority, while: activity, in: &context)
        case .pin(let isPinned): draft.pin(isPinned, in: &context)
        case .fingerprint(let fingerprint, let sha256):
            draft.keep(fingerprint, of: sha256, in: &context)
        case .served(let time): if draft.job.isEvictable { draft.job.servedAt = time }
        case .evict: return activity == .idle && draft.evict(in: &context)
        case .removeDocument: draft.removeDocument(while: activity, in: &context)
        }
        return true
    }

    // MARK: - Permits

    private mutating func permitGranted(
        partialLength: Int64?,
        surviving: SegmentMap?,
        boot: String?,
        in context: inout JobContext
    ) {
        guard draft.job.state == .queued, activity == .idle else {
            // The job was paused or cancelled before it got the permit.
            return context.move(.releasePermit)
        }
        activity = draft.begin(
            partialLength: partialLength,
            surviving: surviving,
            boot: boot,
            in: &context
        )
    }

    /// Stops before the disk is full, because there is no room for the rest of the file.
    private mutating func roomRefused(_ failure: JobFailure, in context: inout JobContext) -> Bool {
        switch (activity, draft.job.state) {
        case (.transferring, .downloading):
            activity = .stopping
            context.perform(.stopTransfer)
        case (.idle, .queued):
            // It has a permit, but no room to use it.
            context.move(.releasePermit)
        // It is being stopped for another reason.
        case (.stopping, _): return true
        default: return false
        }
        draft.waitForRoom(failure, in: &context)
        // What an earlier attempt has left may be what takes the room.
        if activity == .idle { draft.giveRoomBack(in: &context) }
        return true
    }

    // MARK: - Transfers

    private mutating func apply(
        _ report: TransferReport,
        fault: AttemptFault,
        in context: inout JobContext
    ) -> Bool {
        switch (activity, report) {
        case (.transferring, .restarting(let reason)): draft.restarting(because: reason, in: &context)
        case (.transferring(let isFresh, _), .began(let start)):
            activity = .transferring(isFresh: isFresh, startedAt: start.offset)
            draft.began(start, in: &context)
        case (.transferring, .progressed(let bytes)): draft.progressed(to: bytes, in: &context)
        case (.transferring, .synced(let bytes)): draft.job.durableBytes = bytes
        // These concern its host alone.
        case (.transferring, .requested), (.stopping, .requested): break
        case (.transferring, .shared), (.stopping, .shared): break
        case (.transferring, .kept(let map)):
            draft.job.segments = map
            context.perform(.confirmTransfer)
        case (.transferring(let isFresh, let startedAt), .ended(let end)):
            activity = draft.ended(
                end,
                isFresh: isFresh,
                startedAt: startedAt,
                fault: fault,
                in: &context
            )
        case (.stopping, .progressed(let bytes)):
            if draft.job.state != .cancelled { draft.arrived(bytes) }
        case (.stopping, .kept(let map)):
            // Unless the partial has been given up in the meantime.
            if draft.job.totalBytes != nil { draft.job.segments = map }
        case (.stopping, .ended(let end)):
            activity = draft.stopped(end, in: &context)
        // The report was on its way when the transfer was stopped. A restart isn't confirmed, so the
        // partial stays as the store knows it.
        case (.stopping, .restarting), (.stopping, .began), (.stopping, .synced): break
        case (.idle, _), (.sealing, _), (.publishing, _): return false
        }
        return true
    }

    // MARK: - Partials and documents

    private mutating func apply(
        _ report: StorageReport,
        fault: AttemptFault,
        in context: inout JobContext
    ) -> Bool {
        switch (activity, report) {
        case (.sealing, .sealed(let partial, let path, let freeName, let wantedName)):
            if let wantedName { draft.job.name = wantedName }
            activity = draft.sealed(partial, path: path, freeName: freeName, in: &context)
        case (.sealing, .sealFailed(let failure, let keepsPartial, _)):
            activity = .idle
            draft.sealFailed(failure, fault, keepsPartial: keepsPartial, in: &context)
        case (.publishing, .published(let path, let mark)):
            activity = .idle
            draft.published(path: path, mark: mark, in: &context)
        case (.publishing, .stored(let reservation, let partialPath, let path, let mark)):
            guard draft.job.reservation == nil else { return false }
            activity = .idle
            draft.stored(reservation, partialPath: partialPath, path: path, mark: mark, in: &context)
        case (.publishing, .nameTaken(let freeName)):
            guard let sealed = draft.job.reservation?.sealed else { return false }
            let folder = draft.job.reservation?.folder ?? DocumentFolder()
            let next = Job.Reservation(name: freeName, folder: folder, sealed: sealed)
            activity = draft.publish(next, in: &context)
        case (.publishing, .publishFailed(let failure, let keepsPartial, _)):
            activity = .idle
            if draft.job.reservation == nil {
                draft.storeFailed(failure, fault, in: &context)
            } else {
                draft.publishFailed(failure, fault, keepsPartial: keepsPartial, in: &context)
            }
        case (_, .hashed(let sha256)):
            guard draft.job.path != nil else { return false }
            draft.hashed(sha256, in: &context)
        case (_, .hashFailed):
            guard draft.job.path != nil else { return false }
            draft.hashFailed(in: &context)
        case (.idle, .removed), (.idle, .notRemoved):
            guard draft.job.isBeingEvicted else { return false }
            if report == .removed { draft.documentRemoved(in: &context) } else { draft.documentKept() }
        case (_, .removed), (_, .notRemoved): return false
        case (.idle, .synced(let length)): draft.synced(length: length)
        case (.idle, .syncFailed):
            if draft.job.path == nil, draft.job.bytes > 0 { draft.discardBadPartial(in: &context) }
        case (.transferring, .syncFailed):
            draft.trust.isBad = true
            draft.job.state = .queued
            activity = .stopping
            context.perform(.stopTransfer)
        case (.stopping, .syncFailed), (.sealing, .syncFailed): draft.trust.isBad = true
        // The partial was idle when the sync was asked for, and is in use again.
        case (_, .synced), (.publishing, .syncFailed): break
        case (_, .stored), (_, .sealed), (_, .sealFailed), (_, .published), (_, .nameTaken),
            (_, .publishFailed):
            return false
        }
        return true
    }

    /// Goes on after a restart of the daemon, when nothing is under way whatever the state says.
    private mutating func recovered(_ publication: Publication?, in context: inout JobContext) -> Bool {
        guard activity == .idle else { return false }
        if let publication { activity = draft.recover(publication, in: &context) }
        if activity == .idle { draft.recover(wasPublished: publication != nil, in: &context) }
        return true
    }

    // MARK: - Detection

    private mutating func applyDetection(_ input: JobInput, in context: inout JobContext) -> Bool {
        switch (draft.job.state, input) {
        case (.stored, .detectionBegan): draft.detectionBegan(in: &context)
        case (.stored, .detectionDeferred): draft.detectionDeferred(in: &context)
        case (.stored, .detectionKnown(let result)):
            // A person who asked for detection gets a detector, not another job's result.
            if draft.job.detectionDemand == nil { draft.end(with: result, in: &context) }
        case (.detecting, .detectionInterrupted): draft.detectionInterrupted()
        case (.detecting, .detectionEnded(let result)): draft.detectionEnded(result, in: &context)
        // The document was withdrawn while the detector's answer was on its way.
        case (_, .detectionEnded): return draft.job.path != nil
        default: return false
        }
        return true
    }
}
