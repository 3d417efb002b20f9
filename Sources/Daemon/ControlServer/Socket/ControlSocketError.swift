/// The reason why the control socket can't be set up.
public enum ControlSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path does not fit into a socket address (unix(7): 107 bytes).
    case pathTooLong(String)
    /// Another process is listening on this path.
    case inUse(String)
    /// The path belongs to something other than a socket.
    case notASocket(String)
    /// A system call failed for this path, with the message for its `errno`.
    case system(call: String, path: String, errno: Int32, message: String)
    /// The inherited descriptor is not a listening unix stream socket.
    case notListening(Int32)
    /// The file of an inherited socket is gone, or another one is in its place.
    case inheritedFileGone(String)

    /// A sentence that says what happened and what to do.
    public var description: String {
        switch self {
        case .pathTooLong(let path):
            "the socket's path \(path) is longer than 107 bytes; choose a shorter one with --socket"
        case .inUse(let path):
            "another process answers on \(path); stop it first, or choose another path with --socket"
        case .notASocket(let path):
            "\(path) exists and is not a socket; move it away, or choose another path with --socket"
        case .system(let call, let path, _, let message):
            "can't make the control socket \(path) (\(call): \(message)); check the directory's owner and mode, "
                + "or choose another path with --socket"
        case .notListening(let descriptor):
            "the inherited descriptor \(descriptor) is not a listening unix stream socket; "
                + "check ListenStream= in the socket unit"
        case .inheritedFileGone(let path):
            "the socket's file \(path) is gone, and it is systemd's to make: \"systemctl restart facefetchd.socket\" "
                + "(with --user for a daemon of your own) makes it again, and restarts the daemon"
        }
    }
}
