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

/// The numbers of a job's endings, the latest of each kind.
///
/// They come from one counter over all jobs (``JobContext/number(_:of:)``), which only grows and never gives
/// a number twice. A follower that has read up to a number has missed nothing below it.
public struct JobEndings: Hashable, Sendable {
    private var stored: Int64 = 0
    private var done: Int64 = 0
    private var failed: Int64 = 0
    private var cancelled: Int64 = 0

    /// Creates a record without endings.
    public init() {}

    /// The number of the latest ending of a kind; nil if there was none.
    public subscript(_ ending: JobEnding) -> Int64? {
        get {
            let number =
                switch ending {
                case .stored: stored
                case .done: done
                case .failed: failed
                case .cancelled: cancelled
                }
            return number > 0 ? number : nil
        }
        set {
            let number = max(newValue ?? 0, 0)
            switch ending {
            case .stored: stored = number
            case .done: done = number
            case .failed: failed = number
            case .cancelled: cancelled = number
            }
        }
    }

    /// The highest of the numbers; 0 if there is none.
    public var latest: Int64 { max(max(stored, done), max(failed, cancelled)) }
}

extension Job {
    /// The job's ending; nil while it is under way.
    public var ending: JobEnding? { JobEnding(state) }

    /// The number of what the job has come to; nil while it is under way, even again.
    public var ended: Int64? { ending.flatMap { endings[$0] } }
}
