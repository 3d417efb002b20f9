import JobCore

/// Who looks for faces.
///
/// Answers come back through the engine's inbox.
public protocol DetectionPort: Sendable {
    /// Who looks where no engine is asked for; nil while that isn't known.
    var identity: DetectorIdentity? { get }
    /// Hands a document in.
    func submit(_ request: DetectionRequest)
    /// Forgets a document; no answer comes.
    func withdraw(_ job: JobID)
}
