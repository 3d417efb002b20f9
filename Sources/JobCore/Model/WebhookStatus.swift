/// How a webhook's delivery is.
public struct WebhookStatus: Hashable, Sendable {
    /// Where it stands.
    public enum State: String, CaseIterable, Sendable {
        /// There is none.
        case off
        /// What ends is delivered.
        case delivering
        /// The receiver has not taken something; it is tried again.
        case waiting
        /// The receiver wants no more (410).
        case stopped
    }

    /// Where it stands.
    public var state: State
    /// How many endings are not delivered yet.
    public var lag: Int
    /// What the last failure was, until something is taken.
    public var lastError: String?
    /// Seconds until the next try, in state `waiting`.
    public var wait: Double?
    /// How many events were taken since the daemon started.
    public var delivered: Int
    /// How many requests were not taken since the daemon started.
    public var failed: Int
    /// How many events were left out since the daemon started, since the receiver has refused them.
    public var leftOut: Int

    /// A status.
    public init(
        state: State = .off,
        lag: Int = 0,
        lastError: String? = nil,
        wait: Double? = nil,
        delivered: Int = 0,
        failed: Int = 0,
        leftOut: Int = 0
    ) {
        self.state = state
        self.lag = lag
        self.lastError = lastError
        self.wait = wait
        self.delivered = delivered
        self.failed = failed
        self.leftOut = leftOut
    }
}
