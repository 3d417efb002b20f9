import Vocabulary

extension StatusJSON {
    /// The state of the webhook.
    public struct Webhook: APIObject {
        /// The state of the webhook.
        public var state: APIWord<WebhookState>
        /// The number of endings that have not been delivered, as far as they are counted.
        public var lag: Int
        /// A sentence about the last failure; null once something has been delivered again.
        public var lastError: String?
        /// The time of the next attempt, RFC 3339, in state `waiting`.
        public var until: String?

        enum CodingKeys: String, CodingKey {
            case state, lag
            case lastError = "last_error"
            case until
        }

        public init(state: APIWord<WebhookState>, lag: Int, lastError: String?, until: String?) {
            self.state = state
            self.lag = lag
            self.lastError = lastError
            self.until = until
        }

        public static let shape = Shape<Webhook>("StatusWebhook", CodingKeys.self) {
            $0.member(.state, \.state) {
                "off: none is set; waiting: the receiver has not taken something, and is tried again; stopped: it has "
                    + "answered with status 410, and the settings have not been read since."
            }
            $0.member(.lag, \.lag, .count) {
                "Endings that are not delivered yet; no more than 10,000 are counted."
            }
            $0.member(.lastError, \.lastError)
            $0.member(.until, \.until, .time.orNull)
        }
    }
}
