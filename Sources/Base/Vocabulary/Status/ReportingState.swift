/// The state of the reports of the daemon's own faults.
///
/// The raw values are the words of the API.
public enum ReportingState: String, CaseIterable, Sendable {
    /// None are sent.
    case off
    /// Reports are sent as faults happen.
    case delivering
    /// The receiver has not taken one; it is tried again.
    case waiting
}
