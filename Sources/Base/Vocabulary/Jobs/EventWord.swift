/// The word for a kind of event.
///
/// The raw values are stored, and are the words of the API.
public enum EventWord: String, CaseIterable, Sendable {
    /// The first transfer began.
    case started
    /// Another tenth of the file has arrived.
    case progressed
    /// More bytes of a file of unknown length have arrived.
    case received
    /// A transfer resumes where it was cut off.
    case resumed
    /// A transfer starts again from zero.
    case restarted
    /// The whole file has arrived.
    case finished
    /// The document is published.
    case stored
    /// An attempt has failed; the next one follows automatically.
    case waiting
    /// The job ended without a document.
    case failed
    /// A person has paused the job.
    case paused
    /// A person has resumed the job.
    case continued
    /// A person has cancelled the job.
    case cancelled
    /// The document was removed to make room.
    case evicted
    /// The document was removed because somebody asked for it.
    case removed
    /// A detector has begun to look for faces.
    case detectionStarted = "detection_started"
    /// The faces have been counted.
    case detectionFinished = "detection_finished"
    /// Detection is held; the document waits.
    case detectionDeferred = "detection_deferred"
    /// A person has cancelled a second look; what the first one has brought stands.
    case detectionCancelled = "detection_cancelled"
    /// Looking for faces has failed.
    case detectionFailed = "detection_failed"

    /// The state of the job after this event.
    public var state: JobState {
        switch self {
        case .started, .progressed, .received, .resumed, .restarted, .finished: .downloading
        case .stored, .detectionDeferred: .stored
        case .waiting: .waiting
        case .failed: .failed
        case .paused: .paused
        case .continued: .queued
        case .cancelled: .cancelled
        case .detectionStarted: .detecting
        case .detectionFinished, .detectionFailed, .detectionCancelled, .evicted, .removed: .done
        }
    }
}
