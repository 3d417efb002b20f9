/// The status with which the process ends.
enum ExitStatus: Int32, Sendable {
    /// Done as asked.
    case done = 0
    /// A job did not end well, there is no such job, or the daemon could not do as asked.
    case unsuccessful = 1
    /// Bad usage, or a refused item.
    case usage = 2
    /// The daemon can't be reached.
    case unreachable = 3
    /// Something of this name runs already: EX_TEMPFAIL of sysexits.h.
    case alreadyRunning = 75
}
