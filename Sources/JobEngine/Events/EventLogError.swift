/// Why the event log can't be opened, with what to do about it.
public struct EventLogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's path.
    public var path: String
    /// The system's words.
    public var reason: String
    /// Whether it is only want of room, which may end.
    var isLackOfRoom = false

    /// One sentence for people.
    public var description: String {
        "can't write the event log \(path): \(reason); make it writable for the daemon's user, or choose another --event-log"
    }
}
