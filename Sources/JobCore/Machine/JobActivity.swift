/// What the outside is doing for a job at this moment.
///
/// It does not survive a crash, and need not.
public enum JobActivity: Hashable, Sendable {
    /// Nothing.
    case idle
    /// A transfer is under way; `startedAt` is where its body began.
    case transferring(isFresh: Bool, startedAt: Int64?)
    /// A transfer was asked to stop.
    case stopping
    /// The partial is being synced, and hashed where that takes little time or can't wait.
    case sealing
    /// The partial is being renamed.
    case publishing

    /// Whether a transfer writes to the partial, or may still do so.
    var isTransfer: Bool {
        switch self {
        case .transferring, .stopping: true
        case .idle, .sealing, .publishing: false
        }
    }

    /// What it is, behind "with".
    var words: String {
        switch self {
        case .idle: "nothing under way"
        case .transferring: "a transfer under way"
        case .stopping: "a transfer being stopped"
        case .sealing: "its partial being sealed"
        case .publishing: "its partial being published"
        }
    }
}
