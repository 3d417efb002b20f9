import NIOCore
import Synchronization

/// The open connections and their users, so that nobody has too many, and so that a stop can end them.
final class ConnectionRegistry: Sendable {
    private struct Connection {
        var channel: any Channel
        var client: Client
        /// The signal raised when the client disconnects.
        var gone: StopSignal
        /// The signal raised when the connection is closed, for a client that closes its sending side may wait
        /// for an answer.
        var closed: StopSignal
    }

    private struct State {
        var shares: ConnectionShares
        var connections: [ObjectIdentifier: Connection] = [:]
        /// True if the server is stopping and accepts no more connections.
        var isClosed = false
    }

    private let state: Mutex<State>

    /// Creates an empty registry.
    init(shares: ConnectionShares) { state = Mutex(State(shares: shares)) }

    /// The number of open connections.
    var count: Int { state.withLock { $0.connections.count } }

    /// Registers a connection until it is closed; must be called on its event loop.
    ///
    /// - Throws: `ChannelError` if the server is stopping or the client has too many connections; the
    ///   connection is then closed.
    func add(_ channel: any Channel, of client: Client) throws {
        let (gone, closed) = (StopSignal(), StopSignal())
        try channel.pipeline.syncOperations.addHandler(InputWatcher(gone: gone))
        let isIn = state.withLock { state in
            guard !state.isClosed else { return false }
            let welcome = state.shares.enter(client.user)
            guard welcome != .refused else { return false }
            var client = client
            client.isCrowded = welcome == .crowded
            state.connections[ObjectIdentifier(channel)] = Connection(
                channel: channel,
                client: client,
                gone: gone,
                closed: closed
            )
            return true
        }
        guard isIn else { throw ChannelError.alreadyClosed }
        channel.closeFuture.whenComplete { [weak self] _ in
            closed.raise()
            self?.state.withLock { state in
                guard state.connections.removeValue(forKey: ObjectIdentifier(channel)) != nil else { return }
                state.shares.leave(client.user)
            }
        }
    }

    /// Returns the signal raised when a connection's client disconnects; nil if the connection is closed
    /// already.
    func gone(_ channel: any Channel) -> StopSignal? {
        state.withLock { $0.connections[ObjectIdentifier(channel)]?.gone }
    }

    /// Returns the signal raised when a connection is closed; nil if it is closed already.
    func closed(_ channel: any Channel) -> StopSignal? {
        state.withLock { $0.connections[ObjectIdentifier(channel)]?.closed }
    }

    /// Returns the user of a connection; nil if it is closed already.
    func client(of channel: any Channel) -> Client? {
        state.withLock { $0.connections[ObjectIdentifier(channel)]?.client }
    }

    /// Closes idle connections now and the others after their current answer, and accepts no more.
    func quiesce() {
        let channels = state.withLock { state in
            state.isClosed = true
            return state.connections.values.map(\.channel)
        }
        for channel in channels {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    /// Closes all connections now.
    func closeAll() {
        let channels = state.withLock { $0.connections.values.map(\.channel) }
        for channel in channels { channel.close(promise: nil) }
    }
}

/// Notices when a client disconnects or closes its sending side.
///
/// A follower of events sends nothing after its request, so its departure would otherwise only show with
/// the next write.
final class InputWatcher: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let gone: StopSignal

    init(gone: StopSignal) { self.gone = gone }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { gone.raise() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        gone.raise()
        context.fireChannelInactive()
    }
}

/// The user of a connection, determined once when it is made.
struct Client: Hashable, Sendable {
    /// The user id; nil if the kernel can't tell.
    var user: UInt32?
    /// The user's right.
    var right: Access.Right
    /// True if the user has too many connections, so that this one only gets an answer saying so.
    var isCrowded = false
}
