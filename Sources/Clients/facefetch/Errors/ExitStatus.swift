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
