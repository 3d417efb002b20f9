import Vocabulary

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
