/// Holding jobs by the lease of their batch, and releasing them again (``BatchLeases``).
///
/// Only what asks servers is held: what has arrived is published and looked at. A job that waits for a retry
/// goes on waiting, and is held when its time has come, so that no lapse makes it forget how often it has
/// tried.
extension JobDraft {
    /// Pauses a job that asks a server, or is about to.
    mutating func hold(while activity: JobActivity, in context: inout JobContext) -> JobActivity {
        switch job.state {
        case .queued: break
        case .downloading: guard case .transferring = activity else { return activity }
        case .waiting, .paused, .stored, .detecting, .done, .failed, .cancelled: return activity
        }
        let activity = pause(while: activity, in: &context)
        job.isHeld = true
        return activity
    }

    /// Lets a job go on that the lease has held; not one that a person has paused.
    mutating func release(while activity: JobActivity, in context: inout JobContext) {
        guard job.state == .paused, job.isHeld else { return }
        let (tries, struggled) = (job.fruitlessTries, job.struggled)
        context.emit(.continued(name: job.name))
        goOn(while: activity, in: &context)
        (job.fruitlessTries, job.struggled) = (tries, struggled)
    }

    /// Refuses to let a job go on against its lease; returns whether it did.
    func refusesForLease(in context: inout JobContext) -> Bool {
        guard job.isHeld else { return false }
        context.refuse("the lease of its batch has lapsed; it goes on when that is renewed")
        return true
    }
}
