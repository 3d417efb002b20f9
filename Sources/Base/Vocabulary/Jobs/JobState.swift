/// The state of a job; the cases are in the order of a job's life.
///
/// The raw values are stored, and are the words of the API.
public enum JobState: String, CaseIterable, Sendable {
    /// The job waits for a permit.
    case queued
    /// The file is being fetched, or has been and is on its way into the documents directory.
    case downloading
    /// The document is published; detection has not begun.
    case stored
    /// A detector is looking at the document.
    case detecting
    /// Detection has ended; the job's `detection` holds the result.
    case done
    /// The job will be retried automatically; the job's `waiting` says why and when.
    case waiting
    /// A person has paused the job; the partial is kept.
    case paused
    /// The job has ended without a document; the job's error says why.
    case failed
    /// A person has ended the job.
    case cancelled

    /// True if nothing more happens to a job in this state unless someone asks.
    public var isFinal: Bool {
        switch self {
        case .done, .failed, .cancelled: true
        case .queued, .downloading, .stored, .detecting, .waiting, .paused: false
        }
    }
}
