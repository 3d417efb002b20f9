import Vocabulary

extension StatusJSON {
    /// The state of the reports of the daemon's own faults.
    public struct Reporting: APIObject {
        /// The state of delivery.
        public var state: APIWord<ReportingState>
        /// The number of reports that the receiver has taken since the daemon started.
        public var sent: Int
        /// The number of reports that were not sent since then, and won't be.
        public var dropped: Int
        /// A sentence about the last failure; null once a report has been taken again.
        public var lastError: String?

        enum CodingKeys: String, CodingKey {
            case state, sent, dropped
            case lastError = "last_error"
        }

        public init(state: APIWord<ReportingState>, sent: Int, dropped: Int, lastError: String?) {
            self.state = state
            self.sent = sent
            self.dropped = dropped
            self.lastError = lastError
        }

        public static let shape = Shape<Reporting>("StatusReporting", CodingKeys.self) {
            $0.member(.state, \.state) {
                "off: none are sent (reporting.dsn); waiting: the receiver has not taken one, and is tried again."
            }
            $0.member(.sent, \.sent, .count) { "Reports that the receiver has taken since the start." }
            $0.member(.dropped, \.dropped, .count) {
                "Faults since the start that are not reported: by the limits, or refused by the receiver."
            }
            $0.member(.lastError, \.lastError)
        }
    }
}
