/// Something that a job comes to and that followers are told of, each time under a new number.
///
/// The raw values are the words of the API.
public enum JobEnding: String, CaseIterable, Sendable {
    /// Its document stands under its name.
    case stored
    /// Its document has been looked at.
    case done
    /// It has ended without a document.
    case failed
    /// A person has ended it.
    case cancelled

    /// Returns the ending that a job in this state has come to; nil while it is under way.
    ///
    /// A job in state `stored` is under way: its document is still to be looked at.
    public init?(_ state: JobState) {
        switch state {
        case .done: self = .done
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        case .queued, .downloading, .stored, .detecting, .waiting, .paused: return nil
        }
    }

    /// The endings after which nothing more happens to a job unless somebody asks.
    public static let final: Set<JobEnding> = [.done, .failed, .cancelled]
}
