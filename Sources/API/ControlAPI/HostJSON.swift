import Vocabulary

/// A host with unfinished downloads, as shown on the control socket.
public struct HostJSON: APIObject {
    /// The host's name or address and its port, such as `example.org:443`.
    public var host: String
    /// The number of transfers from there.
    public var active: Int
    /// The number of jobs that wait until they may ask there.
    public var queued: Int
    /// The reason for which nothing is begun there; nil if something may be.
    public var waiting: WaitingJSON?
    /// The most requests begun there in a length of time, such as `2/s`; nil for any number.
    public var pace: String?
    /// The most requests at once over connections that they share (HTTP/2); nil where it isn't known to have such.
    public var streams: Int?

    public init(
        host: String,
        active: Int,
        queued: Int,
        waiting: WaitingJSON? = nil,
        pace: String? = nil,
        streams: Int? = nil
    ) {
        self.host = host
        self.active = active
        self.queued = queued
        self.waiting = waiting
        self.pace = pace
        self.streams = streams
    }

    public static let shape = Shape<HostJSON>("Host", CodingKeys.self) {
        $0.member(.host, \.host) { "Name or address, and port." }
        $0.member(.active, \.active, .count) { "The number of transfers from there." }
        $0.member(.queued, \.queued, .count) { "The number of jobs that wait until they may ask there." }
        $0.member(.waiting, \.waiting) { "Why nothing is begun there; null where something may be." }
        $0.member(.pace, \.pace) {
            "The most requests begun there in a time, such as 2/s; null for any number."
        }
        $0.member(.streams, \.streams, .integer(from: 1).orNull) {
            "The most requests at once over connections that they share (HTTP/2), at present; null where it isn't "
                + "known to have such."
        }
    }

    /// The wait of a whole host.
    public struct WaitingJSON: APIObject {
        /// The cause.
        public var kind: APIWord<HostWaitKind>
        /// A sentence for people.
        public var reason: String
        /// The time at which the host is asked again (RFC 3339); nil if nobody knows.
        public var until: String?

        public init(kind: APIWord<HostWaitKind>, reason: String, until: String? = nil) {
            self.kind = kind
            self.reason = reason
            self.until = until
        }

        public static let shape = Shape<WaitingJSON>("HostWaiting", CodingKeys.self) {
            $0.member(.kind, \.kind) {
                "Whether it asks for that, fails, has a certificate that isn't trusted, or asks for a browser "
                    + "(challenge)."
            }
            $0.member(.reason, \.reason)
            $0.member(.until, \.until, .time.orNull) {
                "When the host is asked again; null where nobody knows."
            }
        }
    }
}
