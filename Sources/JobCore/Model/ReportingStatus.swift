/// How the reports of the daemon's own faults fare.
public struct ReportingStatus: Hashable, Sendable {
    /// Where they stand.
    public enum State: String, CaseIterable, Sendable {
        /// None are sent.
        case off
        /// Reports are sent as faults happen.
        case delivering
        /// The receiver has not taken one; it is tried again.
        case waiting
    }

    /// Where they stand.
    public var state: State
    /// How many reports the receiver has taken since the daemon started.
    public var sent: Int
    /// How many were not sent since then: by the limits, or refused.
    public var dropped: Int
    /// What the last failure was, until a report is taken.
    public var lastError: String?

    /// A status.
    public init(state: State = .off, sent: Int = 0, dropped: Int = 0, lastError: String? = nil) {
        self.state = state
        self.sent = sent
        self.dropped = dropped
        self.lastError = lastError
    }
}
