import CSandbox
import Glibc

/// The end of a fork server's child.
public struct ChildEnding: Sendable {
    /// The way in which it ended.
    public enum Way: Hashable, Sendable {
        /// It did its work.
        case well
        /// It was killed at its time limit.
        case timedOut
        /// It could not be confined, and so has read nothing.
        case notConfined
        /// It ended by itself, with this status.
        case status(Int32)
        /// It was killed for a system call that no such child makes.
        case forbiddenCall
        /// It was killed by another signal.
        case signal(Int32)
    }

    /// The way in which it ended.
    public let way: Way
    /// The number of files that it tried to open, none of which was opened.
    public let refusedOpens: Int
    /// The number of threads that it tried to start beyond those that a child may have.
    public let refusedThreads: Int

    /// The signal that ended it before its time limit, where one did.
    public var signal: Int32? {
        switch way {
        case .forbiddenCall: SIGSYS
        case .signal(let signal): signal
        case .well, .timedOut, .notConfined, .status: nil
        }
    }

    init(_ ending: CSandboxEnding) {
        way =
            switch (ending.timed_out, ending.signal, ending.status) {
            case (true, _, _): .timedOut
            case (_, 0, 0): .well
            case (_, 0, CSandbox_not_begun): .notConfined
            case (_, 0, let status): .status(status)
            case (_, SIGSYS, _): .forbiddenCall
            case (_, let signal, _): .signal(signal)
            }
        refusedOpens = Int(ending.refused_opens)
        refusedThreads = Int(ending.refused_threads)
    }
}
