import JobCore
import JobModel
import Vocabulary

/// The timers of jobs that wait for their next attempt.
///
/// A job may have been paused or cancelled since, or be waiting for another time, so the caller must
/// check its state.
struct RetryTimers {
    private struct Timer: Comparable {
        var until: Moment
        var job: JobID

        static func < (lhs: Timer, rhs: Timer) -> Bool { (lhs.until, lhs.job) < (rhs.until, rhs.job) }
    }

    private var timers = PriorityHeap<Timer>()

    /// The moment at which the first timer is due.
    var next: Moment? { timers.first?.until }

    /// Sets a timer for a job.
    mutating func set(_ job: JobID, until: Moment) { timers.insert(Timer(until: until, job: job)) }

    /// Returns the jobs whose time comes by a moment, each with its time.
    func jobs(through moment: Moment) -> [(job: JobID, until: Moment)] {
        timers.elements.filter { $0.until <= moment }.map { ($0.job, $0.until) }
    }

    /// Removes and returns the next job whose time has come.
    mutating func popDue(now: Moment) -> JobID? {
        guard let timer = timers.first, timer.until <= now else { return nil }
        _ = timers.popFirst()
        return timer.job
    }
}
