extension JobJSON {
    /// Where a job stands, in the order of a job's life.
    public enum State: String, CaseIterable, Sendable {
        /// It waits to be fetched.
        case queued
        /// It is being fetched, or is on its way into the documents directory.
        case downloading
        /// Its document is published; nobody has looked at it yet.
        case stored
        /// A detector is looking at its document.
        case detecting
        /// Its document is stored and was looked at; `detection` says what came of it.
        case done
        /// It will be tried again by itself; `waiting` says why and when.
        case waiting
        /// A person holds it.
        case paused
        /// It ended without a document; `error` says why.
        case failed
        /// A person ended it.
        case cancelled

        /// True where nothing more happens unless somebody asks.
        public var isFinal: Bool {
            switch self {
            case .done, .failed, .cancelled: true
            case .queued, .downloading, .stored, .detecting, .waiting, .paused: false
            }
        }
    }
}

/// How many jobs stand where.
public typealias JobCountsJSON = [APIWord<JobJSON.State>: Int]
