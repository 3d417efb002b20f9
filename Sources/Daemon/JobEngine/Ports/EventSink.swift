import JobModel

/// A receiver of events, called once they are durable.
///
/// It must not block, except where noted.
public protocol EventSink: Sendable {
    /// Appends the events of one turn, in order.
    func append(_ events: EventLines)
    /// The id of the last event that need no longer be kept for this sink; nil if it needs none.
    var writtenThrough: Int64? { get }
    /// Stops writing to the disk; returns once nothing is being written, or false if that takes long.
    func holdWriting() -> Bool
    /// Resumes writing, including what has arrived in the meantime.
    func goOnWriting()
}

extension EventSink {
    /// Nil, since no events need be kept for it.
    public var writtenThrough: Int64? { nil }
    /// Returns true, since it writes to no disk.
    public func holdWriting() -> Bool { true }
    /// Does nothing, since it was never held.
    public func goOnWriting() {}
}
