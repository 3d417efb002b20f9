import JobModel
import Vocabulary

/// The detectors, as the engine sees them.
///
/// Results come back through the engine's inbox.
public protocol DetectionPort: Sendable {
    /// The detector used when no engine is asked for; nil while it isn't known.
    var identity: DetectorIdentity? { get }
    /// Submits a document.
    func submit(_ request: DetectionRequest)
    /// Withdraws a document, for which no result will come.
    func withdraw(_ job: JobID)
}
