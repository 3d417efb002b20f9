/// What changes in the engine's own queues for a job.
///
/// It happens at once: nobody outside learns of it, and after a crash the queues are made anew.
public enum QueueMove: Hashable, Sendable {
    /// Put the job into the transfer queue.
    case enqueueTransfer
    /// Take the job out of the transfer queue.
    case dequeueTransfer
    /// The transfer is over: take the permit back.
    case releasePermit
    /// Come back with `retryDue` then.
    case wake(at: Moment)
    /// Put the document into the detection queue.
    case enqueueDetection
    /// Take the document out of the detection queue, or give its place at a detector to another.
    case dequeueDetection
}
