import JobCore

/// A job that something is under way for, or that a turn has touched.
///
/// In a box, since a job is large, and is stepped half a dozen times on its way: copying it out of
/// a dictionary and back would take longer than deciding. Confined to the engine's thread.
final class LiveJob {
    var machine: JobMachine
    /// What is to be told of it with the next thing that is written of it.
    var held: HeldChange?

    init(_ job: Job) { machine = JobMachine(job: job) }

    var job: Job { machine.job }
}

/// A change that nobody waits for (``JobDecision/canWait``), until it is written with the next one,
/// or by itself after a little while.
struct HeldChange {
    var events: [JobEvent] = []
    let since: Moment

    /// The longest that a change is held, in seconds: what a crash of the daemon can make of a new
    /// transfer that has begun is one that has not.
    static let longest = 0.1
}
