import Subprocess

/// The way in which a child has ended that should not have.
public enum ChildEnd: Hashable, Sendable, CustomStringConvertible {
    /// It ended by itself, with this status.
    case exited(Int32)
    /// A signal ended it.
    case signalled(Int32)
    /// It could not be started, for this reason.
    case notStarted(String)
    /// It broke the protocol in this way, and was ended for it.
    case misbehaved(String)

    /// Creates it from what the system says.
    public init(_ status: TerminationStatus) {
        switch status {
        case .exited(let code): self = .exited(code)
        case .signaled(let signal): self = .signalled(signal)
        }
    }

    /// The end of a sentence about the child.
    public var description: String {
        switch self {
        case .exited(let code): "exit status \(code)"
        case .signalled(let signal): "signal \(signal)"
        case .notStarted(let reason), .misbehaved(let reason): reason
        }
    }
}

/// The way in which a child's run was brought to its end.
enum ChildOutcome: Hashable, Sendable {
    /// It was killed on request.
    case killed
    /// It was told to finish, and ended in this way.
    case finished(ChildEnd)
    /// It broke the protocol, which was told when it did, and was killed for it.
    case misbehaved(Misbehaviour)
    /// It ended by itself, or could not be started.
    case unexpected(ChildEnd)
}
