import JobModel

/// The step after an attempt that brought no document: a later attempt, or the end.
extension JobDraft {
    /// The meaning of an interrupted attempt for the next one.
    enum TryOutcome {
        /// More of the file has arrived than in any attempt before, and enough of it (``AttemptProgress``).
        case broughtSomething
        /// Nothing new has arrived, or next to nothing.
        case counted
        /// Nothing new has arrived from a host that fails, and is left alone for so many seconds.
        case countedBehind(seconds: Double)
        /// Nothing new could arrive, because the machine has no network.
        case uncounted
        /// Nothing new could arrive, because the host asks everybody to wait until a moment: only time counts.
        case host(until: Moment)
        /// Nothing new could arrive, because the host asks for a wait because of this file: only time counts.
        case alone(seconds: Double?)
        /// Nothing new was asked for, because the turn at a host with a pace of ours comes at a moment: nothing counts.
        case paced(until: Moment)
        /// Nothing new could arrive, because of something that holds all jobs: only these seconds count.
        case shared(seconds: Double)

        /// The meaning of an attempt that has brought nothing.
        init(_ fault: AttemptFault) {
            switch fault {
            case .own: self = .counted
            case .failing(let seconds): self = .countedBehind(seconds: seconds)
            case .offline: self = .uncounted
            case .host(let until): self = .host(until: until)
            case .alone(let seconds): self = .alone(seconds: seconds)
            case .pace(let until): self = .paced(until: until)
            case .shared(let seconds): self = .shared(seconds: seconds)
            }
        }
    }

    /// The interval at which a job looks for room on the disk again, in seconds.
    static let roomInterval: Double = 10

    /// The interval at which a job looks again whether its source's recipe can be used, in seconds.
    ///
    /// A person has to replace it, and each of a source's many jobs looks for itself.
    static let recipeInterval: Double = 300

    /// The waits of a failing host in which others go first, for each try that the job has had.
    private static let roundsBehind = 4.0

    /// Makes the job wait for its next attempt, or gives it up.
    mutating func tryAgain(
        after failure: JobFailure,
        _ outcome: TryOutcome,
        retryAfter: Double? = nil,
        in context: inout JobContext
    ) {
        // Attempts don't count while the disk is full, or not where it should be, or the machine lacks something
        // else, such as a usable recipe of the source: the job goes on by itself once there is enough.
        guard !failure.isOfMachine else {
            return waitForRoom(failure, in: &context)
        }
        var retryAfter = retryAfter
        switch outcome {
        case .broughtSomething:
            job.fruitlessTries = 0
            job.struggled = 0
        case .counted:
            job.fruitlessTries += 1
            job.struggled += secondsOfTry(in: context)
        case .countedBehind(let seconds):
            job.fruitlessTries += 1
            job.struggled += secondsOfTry(in: context)
            // Otherwise the oldest would go first each time, and use up its tries for all.
            retryAfter = Self.roundsBehind * seconds * Double(job.fruitlessTries)
        case .host(let until): return waitForHost(after: failure, until: until, in: &context)
        case .alone(let asked):
            // Where nothing is said, as long again as it has taken so far.
            let seconds = HostPatience.seconds(asked: asked, otherwise: job.struggled)
            let until = context.now.adding(seconds: seconds)
            return waitForHost(after: failure, until: until, isOfHost: false, in: &context)
        case .paced(let until):
            return wait(for: failure, until: until, isNews: true, isOfHost: true, in: &context)
        case .shared(let seconds):
            job.struggled += max(secondsOfTry(in: context), seconds)
            if let end = context.retry.end(after: failure, struggled: job.struggled) {
                return fail(end, in: &context)
            }
            return requeue(in: &context)
        case .uncounted:
            // Without a network neither attempts nor time count: a day offline loses nothing. Since no wait is longer
            // than the one before, the first is long enough.
            job.struggled = 0
            retryAfter = max(retryAfter ?? 0, LinePatience.intervals.lowerBound)
        }
        switch context.decide(after: failure, of: job, retryAfter: retryAfter) {
        case .wait(let until):
            if job.fruitlessTries > 0 { job.struggled += until.seconds(since: context.now) }
            wait(for: failure, until: until, isNews: true, in: &context)
        case .giveUp(let failure): fail(failure, in: &context)
        }
    }

    /// The seconds that the last attempt took.
    func secondsOfTry(in context: JobContext) -> Double {
        // Bounded, because a machine that slept during an attempt was not trying all that time.
        let seconds = tryBegan.map { context.now.seconds(since: $0) } ?? 0
        return min(max(seconds, 0), RetryPolicy.longestWait)
    }

    /// Makes the job wait until its host may be asked again, unless it has waited for too long.
    private mutating func waitForHost(
        after failure: JobFailure,
        until: Moment,
        isOfHost: Bool = true,
        in context: inout JobContext
    ) {
        job.struggled += secondsOfTry(in: context)
        if let end = context.retry.end(after: failure, struggled: job.struggled) {
            return fail(end, in: &context)
        }
        job.struggled += max(0, until.seconds(since: context.now))
        // That may last for days, and is told once.
        let isDistrusted = failure.code == .badCertificate
        let isNews = !isDistrusted || !job.toldOf.contains(.certificate)
        if isDistrusted { job.toldOf.insert(.certificate) }
        wait(for: failure, until: until, isNews: isNews, isOfHost: isOfHost, in: &context)
    }

    /// Makes a job that waits for its host wait for longer, since others go first, unless it has waited for too long.
    mutating func goBehind(until: Moment, in context: inout JobContext) {
        guard let reason = job.waiting?.reason else { return }
        if let end = context.retry.end(after: reason, struggled: job.struggled) {
            return fail(end, in: &context)
        }
        job.struggled += max(0, until.seconds(since: context.now))
        wait(for: reason, until: until, isNews: false, isOfHost: true, in: &context)
    }

    /// Makes the job wait until the next look for room, or for what else is lacking.
    mutating func waitForRoom(_ failure: JobFailure, in context: inout JobContext) {
        // Each is reported once, not every ten seconds.
        let lacking = Job.Shortages(failure.code)
        let isNews = job.waiting?.reason.code != failure.code && !job.toldOf.isSuperset(of: lacking)
        job.toldOf.formUnion(lacking)
        let interval = lacking == .recipe ? Self.recipeInterval : Self.roomInterval
        let until = context.now.adding(seconds: interval)
        wait(for: failure, until: until, isNews: isNews, in: &context)
    }

    private mutating func wait(
        for reason: JobFailure,
        until: Moment,
        isNews: Bool,
        isOfHost: Bool = false,
        in context: inout JobContext
    ) {
        job.state = .waiting
        job.toldOf.subtract([.host, .otherHost])
        if isOfHost { job.toldOf.insert(.host) }
        job.waiting = Job.Waiting(reason: reason, until: until)
        if isNews { context.emit(.waiting(name: job.name, until: until.wall, reason: reason)) }
        context.move(.wake(at: until))
    }
}
