/// The reason why the event log can't be opened, with advice on what to do.
public struct EventLogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's path.
    public var path: String
    /// The system's error message.
    public var reason: String
    /// True if the cause is only lack of space, which may pass.
    var isLackOfRoom = false

    /// A sentence for people.
    public var description: String {
        "can't write the event log \(path): \(reason); make it writable for the daemon's user, or choose another --event-log"
    }
}
