import JobModel

/// A change to the engine's own queues.
///
/// It takes effect at once: nobody outside sees it, and after a crash the queues are rebuilt.
public enum QueueMove: Hashable, Sendable {
    /// Put the job into the transfer queue.
    case enqueueTransfer
    /// Take the job out of the transfer queue.
    case dequeueTransfer
    /// The transfer is over: take the permit back.
    case releasePermit
    /// Send the job `retryDue` at this time.
    case wake(at: Moment)
    /// Put the document into the detection queue.
    case enqueueDetection
    /// Give the document its job's new priority, if it waits in the detection queue.
    case moveDetection
    /// Take the document out of the detection queue, or free its place at a detector.
    case dequeueDetection
}
