extension JobJSON {
    /// The state of a job; the cases are in the order of a job's life.
    public enum State: String, CaseIterable, Sendable {
        /// The job waits to be fetched.
        case queued
        /// The file is being fetched, or is on its way into the documents directory.
        case downloading
        /// The document is published; nobody has looked at it yet.
        case stored
        /// A detector is looking at the document.
        case detecting
        /// The document is stored and has been looked at; `detection` holds the result.
        case done
        /// The job will be retried automatically; `waiting` says why and when.
        case waiting
        /// A person has paused the job.
        case paused
        /// The job has ended without a document; `error` says why.
        case failed
        /// A person has cancelled the job.
        case cancelled

        /// True if nothing more happens unless someone asks.
        public var isFinal: Bool {
            switch self {
            case .done, .failed, .cancelled: true
            case .queued, .downloading, .stored, .detecting, .waiting, .paused: false
            }
        }
    }
}

/// The number of jobs in each state.
public typealias JobCountsJSON = [APIWord<JobJSON.State>: Int]
