import ControlAPI

/// The reason why a daemon did not do as it was asked.
enum DaemonError: Error, Hashable, Sendable {
    /// It can't be reached, or gave no answer that makes sense: nobody knows whether it has done it.
    case unreachable(String)
    /// It refused it.
    case refused(ProblemJSON)

    /// A sentence for people.
    var words: String {
        switch self {
        case .unreachable(let reason): reason
        case .refused(let problem): problem.detail
        }
    }

    /// True if it says that there is no such thing.
    var isMissing: Bool { if case .refused(let problem) = self { problem.status == 404 } else { false } }
}
