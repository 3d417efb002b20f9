/// What follows a try that brought no document: another one later, or the end.
extension JobDraft {
    /// What a try that was cut off says about the next one.
    enum TryOutcome {
        /// There is more of the file than after any try before.
        case broughtSomething
        /// It brought nothing new.
        case counted
        /// Nor could it: the machine has no network.
        case uncounted
    }

    /// How long a job waits before it looks for room on the disk again, in seconds.
    static let roomInterval: Double = 10

    /// Has the job wait for its next try, or gives it up.
    mutating func tryAgain(
        after failure: JobFailure,
        _ outcome: TryOutcome,
        retryAfter: Double? = nil,
        in context: inout JobContext
    ) {
        // No try counts against a full disk, or what else the machine lacks: the job goes on by itself
        // when there is room.
        guard failure.code != .diskFull, failure.code != .outOfResources else {
            return waitForRoom(failure, in: &context)
        }
        switch outcome {
        case .broughtSomething:
            job.fruitlessTries = 0
            job.struggled = 0
        case .counted:
            job.fruitlessTries += 1
            // A machine that slept in the middle of a try has not tried all that time.
            let seconds = tryBegan.map { context.now.seconds(since: $0) } ?? 0
            job.struggled += min(max(seconds, 0), RetryPolicy.longestWait)
        case .uncounted:
            // Without a network no try counts, and no time runs: a day without one loses nothing.
            job.struggled = 0
        }
        switch context.decide(after: failure, of: job, retryAfter: retryAfter) {
        case .wait(let until):
            if job.fruitlessTries > 0 { job.struggled += until.seconds(since: context.now) }
            wait(for: failure, until: until, isNews: true, in: &context)
        case .giveUp(let failure): fail(failure, in: &context)
        }
    }

    /// Has the job wait until there is room, as far as anybody can tell.
    mutating func waitForRoom(_ failure: JobFailure, in context: inout JobContext) {
        // Told once, not every ten seconds.
        let isNews = job.waiting?.reason.code != failure.code && !job.toldOfFullDisk
        job.toldOfFullDisk = true
        let until = context.now.adding(seconds: Self.roomInterval)
        wait(for: failure, until: until, isNews: isNews, in: &context)
    }

    private mutating func wait(
        for reason: JobFailure,
        until: Moment,
        isNews: Bool,
        in context: inout JobContext
    ) {
        job.state = .waiting
        job.waiting = Job.Waiting(reason: reason, until: until)
        if isNews { context.tell(.waiting(name: job.name, until: until.wall, reason: reason)) }
        context.move(.wake(at: until))
    }
}
