import Vocabulary

/// The status of a webhook's delivery.
public struct WebhookStatus: Hashable, Sendable {
    /// The state of delivery.
    public var state: WebhookState
    /// The number of endings not delivered yet.
    public var lag: Int
    /// The last failure, until an event is accepted.
    public var lastError: String?
    /// Seconds until the next try, in state `waiting`.
    public var wait: Double?
    /// The number of events accepted since the daemon started.
    public var delivered: Int
    /// The number of requests not accepted since the daemon started.
    public var failed: Int
    /// The number of events left out since the daemon started because the receiver had refused them.
    public var leftOut: Int

    /// A status.
    public init(
        state: WebhookState = .off,
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
