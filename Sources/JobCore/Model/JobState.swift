/// A stage of a job's way.
///
/// The raw values are what the store has.
public enum JobState: String, CaseIterable, Sendable {
    /// Waits for a permit.
    case queued
    /// Is being fetched, or has been and is on its way into the documents directory.
    case downloading
    /// Its document is published; detection has not begun.
    case stored
    /// A detector is looking at its document.
    case detecting
    /// Stored and looked at; ``Job/detection`` says what came of it.
    case done
    /// Will be tried again by itself; ``Job/waiting`` says why and when.
    case waiting
    /// Held by a person, partial kept.
    case paused
    /// Ended without a document; ``Job/failure`` says why.
    case failed
    /// Ended by a person.
    case cancelled

    /// Nothing more happens to a job in this state unless somebody asks.
    public var isFinal: Bool {
        switch self {
        case .done, .failed, .cancelled: true
        case .queued, .downloading, .stored, .detecting, .waiting, .paused: false
        }
    }
}
