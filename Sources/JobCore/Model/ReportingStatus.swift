/// The status of the reports of the daemon's own faults.
public struct ReportingStatus: Hashable, Sendable {
    /// The state of the reports.
    public enum State: String, CaseIterable, Sendable {
        /// None are sent.
        case off
        /// Reports are sent as faults happen.
        case delivering
        /// The receiver has not taken one; it is tried again.
        case waiting
    }

    /// The state of the reports.
    public var state: State
    /// The number of reports that the receiver has accepted since the daemon started.
    public var sent: Int
    /// The number of reports not sent since then: over the limits, or refused.
    public var dropped: Int
    /// The last failure, until a report is accepted.
    public var lastError: String?

    /// A status.
    public init(state: State = .off, sent: Int = 0, dropped: Int = 0, lastError: String? = nil) {
        self.state = state
        self.sent = sent
        self.dropped = dropped
        self.lastError = lastError
    }
}
