extension EventJSON {
    /// What can happen to a job.
    public enum Kind: String, CaseIterable, Sendable {
        /// The first transfer began.
        case started
        /// Another tenth of the file is there.
        case progressed
        /// So many bytes are there, of a file of unknown length.
        case received
        /// A transfer goes on where it was cut off.
        case resumed
        /// A transfer begins anew.
        case restarted
        /// The whole file is there.
        case finished
        /// The document is published.
        case stored
        /// A try ended; the next one comes by itself.
        case waiting
        /// The job ended without a document.
        case failed
        /// A person holds the job.
        case paused
        /// A person let the job go on.
        case continued
        /// A person ended the job.
        case cancelled
        /// A detector began to look.
        case detectionStarted = "detection_started"
        /// The faces are counted.
        case detectionFinished = "detection_finished"
        /// Detection is held; the document waits.
        case detectionDeferred = "detection_deferred"
        /// Looking for faces came to nothing.
        case detectionFailed = "detection_failed"

        /// Where it leaves the job.
        public var state: JobJSON.State {
            switch self {
            case .started, .progressed, .received, .resumed, .restarted, .finished: .downloading
            case .stored, .detectionDeferred: .stored
            case .waiting: .waiting
            case .failed: .failed
            case .paused: .paused
            case .continued: .queued
            case .cancelled: .cancelled
            case .detectionStarted: .detecting
            case .detectionFinished, .detectionFailed: .done
            }
        }
    }
}
