import JobModel

/// The way from a stored document to a detection result.
extension JobDraft {
    /// The number of attempts after which a document whose detector gave no answer counts as crashing detectors.
    static let mostDetectionAttempts = 2
    /// The number of attempts after which a document that can't be opened is unreadable.
    ///
    /// Its directory may have been away for a moment; one that stays away is noticed otherwise, and no attempt
    /// counts then.
    static let mostAttemptsToOpen = 3
    /// The number of attempts that may end with the daemon.
    ///
    /// A kill or a power cut is no fault of the document that is being looked at, and may well meet the same one
    /// again, which is looked at first after it. One that does end the daemon is to be given up before a
    /// service manager gives the daemon up, as systemd does after five starts in a minute (`StartLimitBurst`).
    static let mostEndsOfDaemon = 4

    /// True if the daemon has ended too often while it looked at the document, so that nobody looks again
    /// until someone asks for it.
    var isNotToBeLookedAt: Bool { job.detectionAttempts >= Self.mostEndsOfDaemon }

    /// Continues with a stored document: first its hash, which may show that its content is known
    /// already, then detection.
    mutating func goOnWithDocument(inode: UInt64? = nil, in context: inout JobContext) {
        if job.sha256 == nil, let path = job.path {
            context.perform(.hash(Document(path: path, length: job.bytes, inode: inode)))
        } else {
            context.move(.enqueueDetection)
        }
    }

    /// Records that a detector has taken the document.
    mutating func detectionBegan(in context: inout JobContext) {
        job.state = .detecting
        job.detectionAttempts += 1
        if job.detectionAttempts == 1 { context.emit(.detectionStarted(name: job.name)) }
    }

    /// Records that the detector is being stopped together with the daemon, which is no fault of the
    /// document.
    mutating func detectionInterrupted() {
        job.state = .stored
        takeBackDetectionAttempt()
    }

    /// Uncounts an attempt that the daemon ended itself.
    mutating func takeBackDetectionAttempt() {
        job.detectionAttempts = max(0, job.detectionAttempts - 1)
    }

    /// Records that the document has to wait because the detection gate is held.
    ///
    /// The event is published once per job.
    mutating func detectionDeferred(in context: inout JobContext) {
        guard !job.detectionDeferred else { return }
        job.detectionDeferred = true
        context.emit(.detectionDeferred(name: job.name))
    }

    /// Handles a detector's result; after a crash, or if it could not be opened, the document may get another
    /// attempt.
    mutating func detectionEnded(_ result: DetectionResult, in context: inout JobContext) {
        // One that somebody has removed, or changed, is as it is found.
        let isForNow = result.isOfUnopened && !result.isOfChangedDocument
        let most =
            result.outcome == .crashed
            ? Self.mostDetectionAttempts : isForNow ? Self.mostAttemptsToOpen : 0
        if job.detectionAttempts < most {
            job.detectionAttempts += 1
            context.perform(.lookAgain)
            return
        }
        guard result.isOfUnopened, job.detection != nil else { return end(with: result, in: &context) }
        // A document that can't be opened is no reason to forget what was found in it.
        restoreFirstLook(in: &context)
        let reason = "\(result.reason ?? DetectionResult.unopened); the result that it has stands"
        context.emit(
            .detectionFailed(name: job.name, outcome: result.outcome, sharedFrom: nil, reason: reason)
        )
    }

    /// Ends the job with a detection result.
    mutating func end(with result: DetectionResult, in context: inout JobContext) {
        job.state = .done
        job.detection = result
        job.detectionDemand = nil
        job.detectionAttempts = 0
        job.finishedAt = context.now
        context.number(.done, of: &job)
        switch result.outcome {
        case .counted:
            let count = result.faces.count
            context.emit(
                .detectionFinished(name: job.name, faceCount: count, sharedFrom: result.sharedFrom)
            )
        case .unreadable, .crashed, .timedOut, .skipped:
            context.emit(
                .detectionFailed(
                    name: job.name,
                    outcome: result.outcome,
                    sharedFrom: result.sharedFrom,
                    reason: result.reason
                )
            )
        }
    }

    /// Ends a second look before it has brought anything: what the first one has come to stands.
    ///
    /// It isn't come to once more, so nobody who follows is told of it again.
    mutating func stopLookingAgain(in context: inout JobContext) {
        restoreFirstLook(in: &context)
        context.emit(.detectionCancelled(name: job.name))
    }

    /// Ends a second look with the result that there was before.
    private mutating func restoreFirstLook(in context: inout JobContext) {
        job.state = .done
        job.detectionDemand = nil
        job.detectionAttempts = 0
        // Damage may have left it without.
        if job.finishedAt == nil { job.finishedAt = context.now }
        if job.endings[.done] == nil { context.number(.done, of: &job) }
    }

    /// Handles a request to look for faces again.
    mutating func detectAgain(_ demand: DetectionDemand, in context: inout JobContext) {
        switch job.state {
        case .detecting:
            guard let engine = demand.engine, engine != job.detectionDemand?.engine else { return }
            context.refuse("a detector is looking at it; ask again when it is done")
        case .stored:
            guard demand.engine != nil, demand != job.detectionDemand else { return }
            job.detectionDemand = demand
            job.detectionAttempts = 0
            goOnWithDocument(in: &context)
        case .done, .failed, .cancelled, .paused:
            if refusesWithoutDocument(in: &context) { return }
            guard job.state == .done else { return refuseToDetect(in: &context) }
            job.state = .stored
            job.detectionDemand = demand
            job.detectionDeferred = false
            goOnWithDocument(in: &context)
        case .queued, .downloading, .waiting: refuseToDetect(in: &context)
        }
    }

    /// Refuses to look for faces, and says what can be done instead.
    private func refuseToDetect(in context: inout JobContext) {
        guard job.path != nil else { return context.refuse("it has no document yet to look for faces in") }
        if job.state == .paused, refusesForLease(in: &context) { return }
        let advice = job.state == .paused ? "resume it first" : "retry it first, which looks for faces"
        context.refuse("it is \(job.state.rawValue); \(advice)")
    }
}
