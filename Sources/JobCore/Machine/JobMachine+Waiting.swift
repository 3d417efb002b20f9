/// What follows a try that brought no document: another one later, or the end.
extension JobMachine {
    /// Ends the job without a document.
    ///
    /// The partial stays, for another URL to go on with.
    mutating func fail(_ failure: JobFailure, now: Moment, into decision: inout JobDecision) {
        job.state = .failed
        job.failure = failure
        job.waiting = nil
        job.finishedAt = now
        decision.isDirty = true
        decision.events.append(.failed(url: job.url.masked, failure: failure))
    }

    /// The queue gave a slot to a job whose URL the store can't give back any more.
    mutating func failUnreadable(now: Moment, into decision: inout JobDecision) {
        decision.moves.append(.releaseSlot)
        guard job.state == .queued, activity == .idle else { return }
        let reason = "what the store has for its URL can't be read any more; retry it with its URL"
        fail(JobFailure(.storageError, reason), now: now, into: &decision)
    }

    /// Has the job wait for its next try, or gives it up.
    mutating func wait(
        _ failure: JobFailure,
        retryAfter: Double?,
        counts: Bool = true,
        broughtSomething: Bool,
        now: Moment,
        retry: RetryPolicy,
        using generator: inout some RandomNumberGenerator,
        into decision: inout JobDecision
    ) {
        decision.isDirty = true
        if failure.code == .diskFull || failure.code == .outOfResources {
            // No try counts against a full disk, or what else the machine lacks: the job goes on by itself
            // when there is room.
            waitForRoom(failure, now: now, into: &decision)
            return
        }
        if broughtSomething {
            job.fruitlessTries = 0
            job.struggled = 0
        } else if counts {
            job.fruitlessTries += 1
            // A machine that slept in the middle of a try has not tried all that time.
            let seconds = tryBegan.map { now.seconds(since: $0) } ?? 0
            job.struggled += min(max(seconds, 0), RetryPolicy.longestWait)
        } else {
            // Without a network no try counts, and no time runs: a day without one loses nothing.
            job.struggled = 0
        }
        let decided = retry.decide(
            after: failure,
            tries: job.fruitlessTries,
            struggled: job.struggled,
            retryAfter: retryAfter,
            now: now,
            using: &generator
        )
        switch decided {
        case .wait(let until):
            job.state = .waiting
            job.waiting = Job.Waiting(reason: failure, until: until)
            if job.fruitlessTries > 0 { job.struggled += until.seconds(since: now) }
            decision.events.append(.waiting(name: job.name, until: until.wall, reason: failure))
            decision.moves.append(.wake(at: until))
        case .giveUp(let failure): fail(failure, now: now, into: &decision)
        }
    }

    /// The time that the job waited for has come.
    mutating func retryDue(into decision: inout JobDecision) {
        guard job.state == .waiting else { return }
        requeue(into: &decision)
    }

    /// Puts the job into the queue, or lets its transfer's end do so.
    mutating func requeue(into decision: inout JobDecision) {
        job.state = .queued
        job.waiting = nil
        job.failure = nil
        job.finishedAt = nil
        decision.isDirty = true
        if activity == .idle { decision.moves.append(.enqueueTransfer) }
    }

    /// How long a job waits before it looks for room on the disk again, in seconds.
    static let roomInterval: Double = 10

    private mutating func waitForRoom(
        _ failure: JobFailure,
        now: Moment,
        into decision: inout JobDecision
    ) {
        let until = now.adding(seconds: Self.roomInterval)
        // Told once, not every ten seconds.
        let isNews = job.waiting?.reason.code != failure.code && !job.toldOfFullDisk
        job.toldOfFullDisk = true
        job.state = .waiting
        job.waiting = Job.Waiting(reason: failure, until: until)
        decision.isDirty = true
        if isNews {
            decision.events.append(.waiting(name: job.name, until: until.wall, reason: failure))
        }
        decision.moves.append(.wake(at: until))
    }

    /// The rest of the file has no room: stop before the disk is full.
    mutating func roomRefused(_ failure: JobFailure, now: Moment, into decision: inout JobDecision) {
        switch (activity, job.state) {
        case (.transferring, .downloading):
            activity = .stopping
            decision.deeds.append(.stopTransfer)
        case (.idle, .queued):
            // It had a slot already, and would not get far with it.
            decision.moves.append(.releaseSlot)
        default: return
        }
        waitForRoom(failure, now: now, into: &decision)
    }
}
