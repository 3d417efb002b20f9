/// The work under way for a job outside of its machine: a transfer, a sync, a rename.
///
/// It is not stored: after a crash nothing is under way.
public enum JobActivity: Hashable, Sendable {
    /// Nothing is under way.
    case idle
    /// A transfer is under way; `startedAt` is where its body began.
    case transferring(isFresh: Bool, startedAt: Int64?)
    /// A transfer was asked to stop.
    case stopping
    /// The partial is being synced, and also hashed unless that takes long and can wait.
    case sealing
    /// The partial is being renamed, or a body from memory written and given its name.
    case publishing

    /// True if a transfer writes to the partial, or may still do so.
    var isTransfer: Bool {
        switch self {
        case .transferring, .stopping: true
        case .idle, .sealing, .publishing: false
        }
    }

    /// A description that fits after "with" in a sentence.
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
