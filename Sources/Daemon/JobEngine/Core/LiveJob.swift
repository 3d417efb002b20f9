import JobCore
import JobModel

/// A job with work under way, or one that the current turn has touched.
///
/// It is a class because a job is large and takes half a dozen steps: copying it out of a dictionary and
/// back would take longer than deciding. Confined to the engine's thread.
final class LiveJob {
    var machine: JobMachine

    init(_ job: Job) { machine = JobMachine(job: job) }

    var job: Job { machine.job }

    /// True if work is under way for it; here, because the machine would be copied elsewhere.
    var isLive: Bool { machine.isLive }
}
