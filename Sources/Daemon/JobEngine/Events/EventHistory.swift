import JobModel

/// The source from which the event log reads events whose lines it could not write when they were
/// published.
public protocol EventHistory: Sendable {
    /// Returns about `limit` events with ids above `after`, in ascending order and in whole turns.
    func keptEvents(after: Int64, limit: Int) throws -> [JobEvent]
    /// Returns about `limit` of the newest events with ids up to `last`, in ascending order and in whole
    /// turns.
    func keptEvents(upTo last: Int64, limit: Int) throws -> [JobEvent]
}
