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

    /// The members, which are always present.
    public static let shape = Shape<HostJSON>(
        "Host",
        [
            Member(CodingKeys.host, \.host, about: "Name or address, and port."),
            Member(
                CodingKeys.active,
                \.active,
                .integer(from: 0),
                about: "The number of transfers from there."
            ),
            Member(
                CodingKeys.queued,
                \.queued,
                .integer(from: 0),
                about: "The number of jobs that wait until they may ask there."
            ),
            Member(
                CodingKeys.waiting,
                \.waiting,
                about: "Why nothing is begun there; null where something may be."
            ),
            Member(
                CodingKeys.pace,
                \.pace,
                about: "The most requests begun there in a time, such as 2/s; null for any number."
            ),
            Member(
                CodingKeys.streams,
                \.streams,
                .integer(from: 1).orNull,
                about:
                    "The most requests at once over connections that they share (HTTP/2), at present; null where "
                    + "it isn't known to have such."
            ),
        ]
    )

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

        /// The members, which are always present.
        public static let shape = Shape<WaitingJSON>(
            "HostWaiting",
            [
                Member(
                    CodingKeys.kind,
                    \.kind,
                    about: "Whether it asks for that, fails, or has a certificate that isn't trusted."
                ),
                Member(CodingKeys.reason, \.reason),
                Member(
                    CodingKeys.until,
                    \.until,
                    .time.orNull,
                    about: "When the host is asked again; null where nobody knows."
                ),
            ]
        )
    }
}
