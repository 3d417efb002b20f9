/// The failure of a command: a sentence for people, and the status to end with.
struct ClientError: Error, Hashable, Sendable {
    /// What the process ends with.
    var status: ExitStatus
    /// What happened and what to do about it.
    var message: String
    /// True when the connection broke after the request was sent, so that
    /// nobody knows whether it was carried out.
    var wasInterrupted = false

    /// The command line is wrong.
    static func usage(_ message: String) -> ClientError { ClientError(status: .usage, message: message) }

    /// The daemon was reached and the answer is no.
    static func unsuccessful(_ message: String) -> ClientError {
        ClientError(status: .unsuccessful, message: message)
    }

    /// The daemon was not reached, or went away.
    static func unreachable(_ message: String) -> ClientError {
        ClientError(status: .unreachable, message: message)
    }
}
