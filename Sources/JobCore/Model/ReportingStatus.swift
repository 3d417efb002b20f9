import Vocabulary

/// How the reports of the daemon's own faults fare.
public struct ReportingStatus: Hashable, Sendable {
    /// Where they stand.
    public var state: ReportingState
    /// How many reports the receiver has taken since the daemon started.
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
