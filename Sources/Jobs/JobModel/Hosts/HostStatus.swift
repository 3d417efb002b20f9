import Vocabulary

/// A host with jobs that wait for a transfer or have one, as it is at one moment.
public struct HostStatus: Hashable, Sendable {
    /// The wait of a whole host.
    public struct Waiting: Hashable, Sendable {
        /// The cause.
        public var kind: HostWaitKind
        /// A sentence for people, without a full stop.
        public var reason: String
        /// The moment at which the host is asked again; nil where nobody knows.
        public var until: Moment?

        public init(kind: HostWaitKind = .asked, reason: String, until: Moment?) {
            self.kind = kind
            self.reason = reason
            self.until = until
        }
    }

    /// The host's name or address and its port, such as `example.org:443`.
    public var host: String
    /// The number of transfers from there.
    public var active: Int
    /// The number of jobs that wait until they may ask there.
    public var queued: Int
    /// The reason for which nothing is begun there, and until when; nil if something may be.
    public var waiting: Waiting?
    /// The most requests begun there in a length of time; nil for any number.
    public var pace: Pace?
    /// The most requests at once over connections that they share (HTTP/2); nil where it isn't known to have such.
    public var streams: Int?

    public init(
        host: String,
        active: Int,
        queued: Int,
        waiting: Waiting? = nil,
        pace: Pace? = nil,
        streams: Int? = nil
    ) {
        self.host = host
        self.active = active
        self.queued = queued
        self.waiting = waiting
        self.pace = pace
        self.streams = streams
    }
}
