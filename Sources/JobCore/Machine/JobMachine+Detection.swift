extension JobMachine {
    /// A detector took the document.
    mutating func detectionBegan(into decision: inout JobDecision) {
        guard job.state == .stored else { return }
        job.state = .detecting
        decision.isDirty = true
        decision.events.append(.detectionStarted(name: job.name))
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
        now: Timestamp,
        into decision: inout JobDecision
    ) {
        guard job.state == .detecting else { return }
        job.state = .done
        job.detection = result
        job.finishedAt = now
        decision.isDirty = true
        if result.outcome == .counted {
            decision.events.append(.detectionFinished(name: job.name, faceCount: result.faces.count))
        } else {
            decision.events.append(.detectionFailed(name: job.name, outcome: result.outcome))
        }
    }

    /// Somebody wants the document looked at again.
    mutating func detectAgain(into decision: inout JobDecision) {
        switch job.state {
        case .stored, .detecting: break
        case .done:
            job.state = .stored
            job.finishedAt = nil
            job.detectionDeferred = false
            decision.isDirty = true
            decision.actions.append(.enqueueDetection)
        case .queued, .downloading, .waiting, .paused, .failed, .cancelled:
            decision.refusal =
                job.path == nil
                ? "it has no document yet to look for faces in"
                : "it is \(job.state.rawValue); let it go on first"
        }
    }
}
