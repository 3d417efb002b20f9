extension JobMachine {
    /// Holds the job, keeping its partial.
    ///
    /// A document that is being published is published all the same.
    mutating func pause(into decision: inout JobDecision) {
        switch job.state {
        case .paused: return
        case .done, .failed, .cancelled:
            decision.refusal = "it has ended"
            return
        case .queued: decision.moves.append(.dequeueTransfer)
        case .downloading: stopTransfer(into: &decision)
        case .stored: withdrawFromDetection(into: &decision)
        case .detecting:
            takeBackDetectionAttempt()
            withdrawFromDetection(into: &decision)
        case .waiting: break
        }
        job.state = .paused
        job.waiting = nil
        decision.isDirty = true
        decision.events.append(.paused(name: job.name))
    }

    /// Lets a held job go on where it was.
    mutating func resume(into decision: inout JobDecision) {
        switch job.state {
        case .paused: break
        case .done, .failed, .cancelled:
            decision.refusal = "it has ended; retry starts it again"
            return
        case .queued, .downloading, .stored, .detecting, .waiting: return
        }
        decision.events.append(.continued(name: job.name))
        goOn(into: &decision)
    }

    /// Ends the job and removes its partial.
    ///
    /// A document that is published stays. The job's own header fields, which may be secrets, go: a
    /// failed job keeps them, since it is meant to be tried again.
    mutating func cancel(now: Moment, into decision: inout JobDecision) {
        switch job.state {
        case .cancelled: return
        case .done:
            decision.refusal = "it is done"
            return
        case .queued: decision.moves.append(.dequeueTransfer)
        case .downloading: stopTransfer(into: &decision)
        case .stored: withdrawFromDetection(into: &decision)
        case .detecting:
            takeBackDetectionAttempt()
            withdrawFromDetection(into: &decision)
        case .waiting, .paused, .failed: break
        }
        if activity == .idle, job.path == nil { decision.deeds.append(.discardPartial) }
        job.state = .cancelled
        job.waiting = nil
        job.failure = nil
        job.finishedAt = now
        job.headers = []
        if job.path == nil, activity != .publishing { forgetPartial() }
        decision.isDirty = true
        decision.events.append(.cancelled(name: job.name))
    }

    /// Tries again now.
    ///
    /// A new URL takes the place of one that expired; the partial goes on if the validator agrees.
    /// `keepsHeaders` says whether who asks may use the job's own header fields.
    mutating func retryNow(url: JobURL?, keepsHeaders: Bool, into decision: inout JobDecision) {
        if let url, url != job.url {
            guard activity != .sealing, activity != .publishing else {
                decision.refusal = "its file has arrived already"
                return
            }
            guard job.path == nil else {
                decision.refusal = "its document is stored already"
                return
            }
            // Header fields were meant for the server that they were given for, and serve who gave
            // them: nobody else is to send them to a place of their own choice there.
            if !keepsHeaders || !job.url.hasSameOrigin(as: url) { job.headers = [] }
            job.url = url
            job.furthestBytes = 0
            decision.isDirty = true
            if case .transferring = activity {
                stopTransfer(into: &decision)
                job.state = .queued
                return
            }
            if job.state == .queued, activity == .idle {
                // It may queue for another host now.
                decision.moves += [.dequeueTransfer, .enqueueTransfer]
            }
        }
        switch job.state {
        case .waiting, .failed, .cancelled, .paused:
            guard job.url.isReadable || job.path != nil || activity != .idle else {
                decision.refusal = "its URL can't be read any more; retry it with its URL"
                return
            }
            decision.events.append(.continued(name: job.name))
            goOn(into: &decision)
        case .queued, .downloading, .stored, .detecting, .done: break
        }
    }

    /// Moves the job in the queue.
    mutating func prioritize(_ priority: Int, into decision: inout JobDecision) {
        guard priority != job.priority else { return }
        job.priority = priority
        decision.isDirty = true
        if job.state == .queued, activity == .idle { decision.moves.append(.enqueueTransfer) }
    }

    private func withdrawFromDetection(into decision: inout JobDecision) {
        decision.moves.append(.dequeueDetection)
        decision.deeds.append(.withdrawDetection)
    }

    private mutating func stopTransfer(into decision: inout JobDecision) {
        guard case .transferring = activity else { return }
        activity = .stopping
        decision.deeds.append(.stopTransfer)
    }

    private mutating func goOn(into decision: inout JobDecision) {
        job.fruitlessTries = 0
        job.struggled = 0
        switch activity {
        case .sealing, .publishing:
            // On its way into the documents directory; it only has to be let through.
            job.state = .downloading
            job.failure = nil
            job.finishedAt = nil
            decision.isDirty = true
        case .idle where job.path != nil:
            job.state = .stored
            job.finishedAt = nil
            decision.isDirty = true
            goOnWithDocument(into: &decision)
        case .idle, .stopping, .transferring: requeue(into: &decision)
        }
    }
}
