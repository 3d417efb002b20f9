/// The failure of a command: a sentence for people, and the exit status.
struct ClientError: Error, Hashable, Sendable {
    /// The exit status.
    var status: ExitStatus
    /// The problem, and what to do about it.
    var message: String
    /// The code of the daemon's problem document, if that was the answer.
    var code: String?
    /// True if the connection broke after the request was sent, so that it isn't known whether it was carried
    /// out.
    var wasInterrupted = false
    /// True if the daemon could not answer for a reason of its own, so that the same request may succeed
    /// later.
    var mayPass = false

    /// The message for a command that waits for the daemon by itself, so that nobody has to try again.
    var messageWhileWaiting: String { wasInterrupted ? "The daemon went away." : message }

    /// Returns the error of a wrong command line.
    static func usage(_ message: String) -> ClientError { ClientError(status: .usage, message: message) }

    /// Returns the error of a request that the daemon has refused.
    static func unsuccessful(_ message: String) -> ClientError {
        ClientError(status: .unsuccessful, message: message)
    }

    /// Returns the error of a daemon that can't be reached, or has gone away.
    static func unreachable(_ message: String) -> ClientError {
        ClientError(status: .unreachable, message: message)
    }
}
