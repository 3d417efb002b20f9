import JobCore

/// A job that something is under way for, or that a turn has touched.
///
/// In a box, since a job is large, and is stepped half a dozen times on its way: copying it out of
/// a dictionary and back would take longer than deciding. Confined to the engine's thread.
final class LiveJob {
    var machine: JobMachine

    init(_ job: Job) { machine = JobMachine(job: job) }

    var job: Job { machine.job }
}
