import JobModel

/// The consequences of one input.
public struct JobDecision: Hashable, Sendable {
    /// The events to publish, in order.
    public var events: [JobEvent.Kind] = []
    /// The changes to the engine's queues, in order.
    public var moves: [QueueMove] = []
    /// The work for the outside to do after the commit, in order.
    public var effects: [JobEffect] = []
    /// True if the job must be written to the store.
    public var isDirty = false
    /// True if the write may be put off until the job changes next: nobody asked for the change, nothing
    /// depends on it, and losing it in a crash costs little work.
    public var canWait = false
    /// The reason why a request was refused, for the person who made it.
    public var refusal: String?
    /// A description of an input that should be impossible in the job's state, which is a bug in its
    /// sender or in the machine.
    ///
    /// Such an input has no other consequences. Tests fail on it; the daemon logs it once and carries
    /// on.
    public var impossibility: String?

    /// Creates a decision without consequences.
    public init() {}

    /// True if there is anything besides the write to the store.
    var hasConsequences: Bool { !events.isEmpty || !moves.isEmpty || !effects.isEmpty }
}

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
