import Vocabulary

/// The status of the reports of the daemon's own faults.
public struct ReportingStatus: Hashable, Sendable {
    /// The state of the reports.
    public var state: ReportingState
    /// The number of reports that the receiver has accepted since the daemon started.
    public var sent: Int
    /// The number of reports not sent since then: over the limits, or refused.
    public var dropped: Int
    /// The last failure, until a report is accepted.
    public var lastError: String?

    /// A status.
    public init(state: ReportingState = .off, sent: Int = 0, dropped: Int = 0, lastError: String? = nil) {
        self.state = state
        self.sent = sent
        self.dropped = dropped
        self.lastError = lastError
    }
}
