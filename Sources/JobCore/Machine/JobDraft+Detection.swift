/// From a document to what is known of the faces in it.
extension JobDraft {
    /// How often a document is looked at that nobody comes back from.
    static let mostDetectionAttempts = 2

    /// Whether whoever looks at the document ends without an answer, so that nobody is to look
    /// again before somebody asks for it.
    var isNotToBeLookedAt: Bool { job.detectionAttempts >= Self.mostDetectionAttempts }

    /// What is next for a document: its hash, which may show that its bytes are known, and then a look at it.
    mutating func goOnWithDocument(inode: UInt64? = nil, in context: inout JobContext) {
        if job.sha256 == nil, let path = job.path {
            context.ask(for: .hash(Document(path: path, length: job.bytes, inode: inode)))
        } else {
            context.move(.enqueueDetection)
        }
    }

    /// A detector took the document.
    mutating func detectionBegan(in context: inout JobContext) {
        job.state = .detecting
        job.detectionAttempts += 1
        if job.detectionAttempts == 1 { context.tell(.detectionStarted(name: job.name)) }
    }

    /// The detector that looks is being ended with the daemon: no fault of the document.
    mutating func detectionInterrupted() {
        job.state = .stored
        takeBackDetectionAttempt()
    }

    /// Makes an attempt undone that was ended by us.
    mutating func takeBackDetectionAttempt() {
        job.detectionAttempts = max(0, job.detectionAttempts - 1)
    }

    /// The gate is held.
    ///
    /// Said once a job.
    mutating func detectionDeferred(in context: inout JobContext) {
        guard !job.detectionDeferred else { return }
        job.detectionDeferred = true
        context.tell(.detectionDeferred(name: job.name))
    }

    /// The detectors are done with the document.
    mutating func detectionEnded(_ result: DetectionResult, in context: inout JobContext) {
        if result.outcome == .crashed, !isNotToBeLookedAt {
            job.detectionAttempts += 1
            context.ask(for: .lookAgain)
            return
        }
        end(with: result, in: &context)
    }

    /// Ends the job with what is known of its document now.
    mutating func end(with result: DetectionResult, in context: inout JobContext) {
        job.state = .done
        job.detection = result
        job.detectionDemand = nil
        job.detectionAttempts = 0
        job.finishedAt = context.now
        switch result.outcome {
        case .counted:
            let count = result.faces.count
            context.tell(
                .detectionFinished(name: job.name, faceCount: count, sharedFrom: result.sharedFrom)
            )
        case .unreadable, .crashed, .timedOut, .skipped:
            context.tell(
                .detectionFailed(name: job.name, outcome: result.outcome, sharedFrom: result.sharedFrom)
            )
        }
    }

    /// Somebody wants the document looked at again.
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
        case .done:
            job.state = .stored
            job.finishedAt = nil
            job.detectionDemand = demand
            job.detectionDeferred = false
            goOnWithDocument(in: &context)
        case .queued, .downloading, .waiting, .paused, .failed, .cancelled:
            context.refuse(
                job.path == nil
                    ? "it has no document yet to look for faces in"
                    : "it is \(job.state.rawValue); let it go on first"
            )
        }
    }
}
