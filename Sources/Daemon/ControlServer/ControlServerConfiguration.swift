import JobModel
import NIOCore

/// The configuration of the control server.
public struct ControlServerConfiguration: Sendable {
    /// The daemon's version, for `GET /v1/status`.
    public var version: String
    /// The largest request body, in bytes.
    public var maximumBodySize = 64 << 20
    /// The largest head of a request in bytes: the request line and all header fields.
    public var maximumHeaderSize = 32 << 10
    /// The most connections at once; more wait in the socket's backlog.
    public var maximumConnections = 2048
    /// The time for which a connection may be idle while no answer is due.
    public var idleTimeout = Duration.seconds(60)
    /// The interval of an event stream's heartbeats.
    public var heartbeat = Duration.seconds(15)
    /// The number of events kept for a follower that doesn't read, before it is told that it missed
    /// some.
    public var eventBacklog = 4096
    /// The time that connections may take to finish when the server stops.
    public var stopTimeout = Duration.seconds(2)
    /// The group whose members may use the socket; nil allows everyone who can connect.
    ///
    /// Root and the daemon's own user may always use it and change things.
    public var group: UInt32?
    /// The group whose members may change things; nil allows everyone who may use the socket.
    public var writeGroup: UInt32?
    /// Called with the number of clients that follow the events, whenever it changes.
    public var followersChanged: @Sendable (Int) -> Void = { _ in }
    /// Returns the state of the detector processes, for `GET /v1/status` and `GET /v1/metrics`; nil if there are none.
    public var detectors: @Sendable () -> DetectorPoolStatus? = { nil }

    /// The environment variable that sends transfers through a proxy, for `GET /v1/status`; nil if none does.
    public var proxy: String?

    /// Makes pictures of documents to show.
    public var pictures: any PicturePort = NoPictures()

    /// Returns the state of the webhook's delivery, for `GET /v1/status` and `GET /v1/metrics`.
    public var webhook: @Sendable () -> WebhookStatus = { WebhookStatus() }
    /// Returns the state of the reports of the daemon's own faults, for the same.
    public var reporting: @Sendable () -> ReportingStatus = { ReportingStatus() }

    public init(version: String) { self.version = version }

    /// The access rules.
    var access: Access { Access(group: group, writeGroup: writeGroup, ownUser: Peer.ownUser) }
}
