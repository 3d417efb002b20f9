/// The outcome of looking for faces.
///
/// The raw values are part of the API.
public enum DetectionOutcome: String, CaseIterable, Sendable, Codable {
    /// The picture was read and its faces counted.
    case counted
    /// The document is no picture that can be read. The document stays.
    case unreadable
    /// Whoever looked at the picture, twice, ended without an answer or gave one that can't be.
    case crashed
    /// Looking took longer than allowed.
    case timedOut = "timed_out"
    /// Nobody looked, by choice.
    case skipped
}
