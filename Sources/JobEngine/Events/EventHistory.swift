import JobCore

/// Where the event log finds those events again whose lines it could not write when they were told.
public protocol EventHistory: Sendable {
    /// Events by ascending id, with ids above `after`: some `limit` of them, whole turns.
    func keptEvents(after: Int64, limit: Int) throws -> [JobEvent]
    /// The newest events with ids up to `last`, by ascending id: some `limit` of them, whole turns.
    func keptEvents(upTo last: Int64, limit: Int) throws -> [JobEvent]
}
