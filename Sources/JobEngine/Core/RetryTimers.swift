import JobCore

/// When jobs that wait for their next try are to be looked at.
///
/// A job may have been steered away meanwhile, or wait for another time: who comes back asks the job.
struct RetryTimers {
    private struct Timer: Comparable {
        var until: Moment
        var job: JobID

        static func < (lhs: Timer, rhs: Timer) -> Bool { (lhs.until, lhs.job) < (rhs.until, rhs.job) }
    }

    private var timers = PriorityHeap<Timer>()

    /// When the first of them is due.
    var next: Moment? { timers.first?.until }

    /// Has a job looked at then.
    mutating func set(_ job: JobID, until: Moment) { timers.insert(Timer(until: until, job: job)) }

    /// The next job whose time has come.
    mutating func popDue(now: Moment) -> JobID? {
        guard let timer = timers.first, timer.until <= now else { return nil }
        _ = timers.popFirst()
        return timer.job
    }
}
