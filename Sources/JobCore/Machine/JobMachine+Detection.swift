extension JobMachine {
    /// What is next for a document: its hash, which may show that its bytes are known, and then a look at it.
    mutating func goOnWithDocument(inode: UInt64? = nil, into decision: inout JobDecision) {
        if job.sha256 == nil, let path = job.path {
            decision.deeds.append(.hash(Document(path: path, length: job.bytes, inode: inode)))
        } else {
            decision.moves.append(.enqueueDetection)
        }
    }

    /// A detector took the document.
    mutating func detectionBegan(into decision: inout JobDecision) {
        guard job.state == .stored else { return }
        job.state = .detecting
        job.detectionAttempts += 1
        decision.isDirty = true
        if job.detectionAttempts == 1 { decision.events.append(.detectionStarted(name: job.name)) }
    }

    /// How often a document is looked at that nobody comes back from.
    static let mostDetectionAttempts = 2

    /// Whether whoever looks at the document ends without an answer, so that nobody is to look
    /// again before somebody asks for it.
    ///
    /// That may be the daemon itself, which finds the attempts written down when it starts.
    public var isNotToBeLookedAt: Bool { job.detectionAttempts >= Self.mostDetectionAttempts }

    /// The detector that looks is being ended with the daemon: no fault of the document.
    mutating func detectionInterrupted(into decision: inout JobDecision) {
        guard job.state == .detecting else { return }
        job.state = .stored
        takeBackDetectionAttempt()
        decision.isDirty = true
    }

    /// Makes an attempt undone that was ended by us.
    mutating func takeBackDetectionAttempt() {
        job.detectionAttempts = max(0, job.detectionAttempts - 1)
    }

    /// The gate is held.
    ///
    /// Said once a job.
    mutating func detectionDeferred(into decision: inout JobDecision) {
        guard job.state == .stored, !job.detectionDeferred else { return }
        job.detectionDeferred = true
        decision.isDirty = true
        decision.events.append(.detectionDeferred(name: job.name))
    }

    /// The detectors are done with the document.
    mutating func detectionEnded(
        _ result: DetectionResult,
        now: Moment,
        into decision: inout JobDecision
    ) {
        guard job.state == .detecting else { return }
        if result.outcome == .crashed, !isNotToBeLookedAt {
            job.detectionAttempts += 1
            decision.isDirty = true
            decision.deeds.append(.lookAgain)
            return
        }
        end(with: result, now: now, into: &decision)
    }

    /// Another document of the same bytes has been looked at; this one needs not be.
    mutating func detectionShared(
        _ result: DetectionResult,
        now: Moment,
        into decision: inout JobDecision
    ) {
        guard job.state == .stored, job.detectionDemand == nil else { return }
        end(with: result, now: now, into: &decision)
    }

    private mutating func end(
        with result: DetectionResult,
        now: Moment,
        into decision: inout JobDecision
    ) {
        job.state = .done
        job.detection = result
        job.detectionDemand = nil
        job.detectionAttempts = 0
        job.finishedAt = now
        decision.isDirty = true
        switch result.outcome {
        case .counted:
            decision.events.append(
                .detectionFinished(
                    name: job.name,
                    faceCount: result.faces.count,
                    sharedFrom: result.sharedFrom
                )
            )
        case .unreadable, .crashed, .timedOut, .skipped:
            decision.events.append(
                .detectionFailed(name: job.name, outcome: result.outcome, sharedFrom: result.sharedFrom)
            )
        }
    }

    /// Somebody wants the document looked at again.
    mutating func detectAgain(_ demand: DetectionDemand, into decision: inout JobDecision) {
        switch job.state {
        case .detecting:
            guard let engine = demand.engine, engine != job.detectionDemand?.engine else { return }
            decision.refusal = "a detector is looking at it; ask again when it is done"
        case .stored:
            guard demand.engine != nil, demand != job.detectionDemand else { return }
            job.detectionDemand = demand
            job.detectionAttempts = 0
            decision.isDirty = true
            goOnWithDocument(into: &decision)
        case .done:
            job.state = .stored
            job.finishedAt = nil
            job.detectionDemand = demand
            job.detectionDeferred = false
            decision.isDirty = true
            goOnWithDocument(into: &decision)
        case .queued, .downloading, .waiting, .paused, .failed, .cancelled:
            decision.refusal =
                job.path == nil
                ? "it has no document yet to look for faces in"
                : "it is \(job.state.rawValue); let it go on first"
        }
    }
}
