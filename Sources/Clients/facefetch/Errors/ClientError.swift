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

/// The exit status of the process.
enum ExitStatus: Int32, Sendable {
    /// Everything was done as asked.
    case done = 0
    /// A job did not end well or doesn't exist, or the daemon could not do as asked.
    case unsuccessful = 1
    /// The command line is wrong, or an item was refused.
    case usage = 2
    /// The daemon can't be reached.
    case unreachable = 3
    /// Something of this name runs already: EX_TEMPFAIL of sysexits.h.
    case alreadyRunning = 75
}

/// A command that has printed everything itself ends by throwing its status.
extension ExitStatus: Error {}
