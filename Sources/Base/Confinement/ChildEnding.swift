import CSandbox
import Glibc

/// The end of a fork server's child.
public struct ChildEnding: Sendable {
    /// The way in which it ended.
    public enum Way: Hashable, Sendable {
        /// It did its work.
        case well
        /// It was killed at its time limit, on the clock or of processor time.
        case timedOut
        /// It had not enough memory.
        case tooMuchMemory
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
    public let signal: Int32?
    /// True if it tried what no such child does.
    public var wasRefused: Bool { refusedOpens + refusedThreads > 0 }

    /// The signals of programs that find no memory: each library ends the process in its own way.
    private static let crashes: Set<Int32> = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT]

    /// True if a child probably got no more memory.
    ///
    /// How much it asked for in vain isn't known. But what fails to grow holds a sixth at least: a string of jq's, which
    /// fills half of what it has, is copied to four times as much. One that tried what it may not isn't just short of
    /// memory.
    private static func isShort(_ ending: CSandboxEnding) -> Bool {
        ending.held >= ending.room / 6 && ending.refused_opens + ending.refused_threads == 0
    }

    init(_ ending: CSandboxEnding) {
        way =
            switch (ending.timed_out, ending.signal, ending.status) {
            case (true, _, _): .timedOut
            case (_, 0, 0): .well
            case (_, 0, CSandbox_not_begun): .notConfined
            case (_, 0, let status): .status(status)
            case (_, SIGXCPU, _): .timedOut
            case (_, SIGSYS, _): .forbiddenCall
            case (_, let signal, _) where Self.crashes.contains(signal) && Self.isShort(ending):
                .tooMuchMemory
            case (_, let signal, _): .signal(signal)
            }
        signal = way == .timedOut || ending.signal == 0 ? nil : ending.signal
        refusedOpens = Int(ending.refused_opens)
        refusedThreads = Int(ending.refused_threads)
    }
}
