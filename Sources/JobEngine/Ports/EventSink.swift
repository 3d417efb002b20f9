/// Who is told of events, after they are durable.
///
/// Must not block, but where that is said.
public protocol EventSink: Sendable {
    /// Takes the events of one turn, in order.
    func append(_ events: EventLines)
    /// The id of the last event that needs not be kept for it any more; nil for who keeps nothing.
    var writtenThrough: Int64? { get }
    /// Stops writing to the disk; returns when nothing is being written, or false where that takes long.
    func holdWriting() -> Bool
    /// Goes on writing, with what has come meanwhile.
    func goOnWriting()
}

extension EventSink {
    /// Nothing is kept for it.
    public var writtenThrough: Int64? { nil }
    /// It writes to no disk.
    public func holdWriting() -> Bool { true }
    /// It was never held.
    public func goOnWriting() {}
}
