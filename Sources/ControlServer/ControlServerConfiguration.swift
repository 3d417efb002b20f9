import JobCore
import NIOCore

/// The limits of the control socket, and what it says about itself.
public struct ControlServerConfiguration: Sendable {
    /// The daemon's version, for `GET /v1/status`.
    public var version: String
    /// The largest request body, in bytes.
    public var maximumBodySize = 64 << 20
    /// The largest head of a request, in bytes: the request line's field and all header fields.
    public var maximumHeaderSize = 32 << 10
    /// The most connections at once; more wait in the socket's backlog.
    public var maximumConnections = 2048
    /// How long a connection may say nothing while no answer is due.
    public var idleTimeout = Duration.seconds(60)
    /// How often an event stream says that it is alive.
    public var heartbeat = Duration.seconds(15)
    /// How many events a follower that doesn't read is owed before it is told that it missed some.
    public var eventBacklog = 4096
    /// How long connections may take to end when the server stops.
    public var stopTimeout = Duration.seconds(2)
    /// The group whose members may use the socket; nil lets everyone who can connect.
    ///
    /// Root and the daemon's own user always may, and may change things.
    public var group: UInt32?
    /// The group whose members may change things; nil lets everyone who may use the socket.
    public var writeGroup: UInt32?
    /// Called with the number of clients that follow the events, whenever it changes.
    public var followersChanged: @Sendable (Int) -> Void = { _ in }
    /// What the detector processes do, for `GET /v1/metrics`; nil where there are none.
    public var detectors: @Sendable () -> DetectorPoolStatus? = { nil }

    /// Safe limits for a daemon of this version.
    public init(version: String) { self.version = version }

    /// Who may do what.
    var access: Access { Access(group: group, writeGroup: writeGroup, ownUser: Peer.ownUser) }
}
