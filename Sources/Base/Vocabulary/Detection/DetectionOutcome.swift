/// The outcome of looking for faces.
///
/// The raw values are part of the API.
public enum DetectionOutcome: String, CaseIterable, Sendable, Codable {
    /// The picture was read and its faces counted.
    case counted
    /// The document is not a picture that can be read.
    ///
    /// The document stays.
    case unreadable
    /// Twice the detector ended without an answer, or gave an impossible one.
    case crashed
    /// Detection took longer than allowed.
    case timedOut = "timed_out"
    /// Nobody looked, because detection, or the engine asked for, is switched off.
    case skipped
}
