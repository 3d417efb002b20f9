/// Who is told of events, after they are durable.
///
/// Must not block.
public protocol EventSink: Sendable {
    /// Takes the events of one turn, in order.
    func append(_ events: EventLines)
}
