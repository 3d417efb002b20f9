import NIOCore
import Synchronization

/// The connections that are open: whose they are, so that nobody has too many, and so that a stop
/// can end them.
final class ConnectionRegistry: Sendable {
    private struct Connection {
        var channel: any Channel
        var client: Client
        /// Raised when the client has gone.
        var gone: StopSignal
    }

    private struct State {
        var shares: ConnectionShares
        var connections: [ObjectIdentifier: Connection] = [:]
        /// True once the server stops: nobody new comes in.
        var isClosed = false
    }

    private let state: Mutex<State>

    /// No connections yet.
    init(shares: ConnectionShares) { state = Mutex(State(shares: shares)) }

    /// How many are open.
    var count: Int { state.withLock { $0.connections.count } }

    /// Keeps a connection in mind until it is closed; called on its event loop.
    ///
    /// - Throws: `ChannelError` once the server stops, or where the client has too many; the connection
    ///   is closed then.
    func add(_ channel: any Channel, of client: Client) throws {
        let gone = StopSignal()
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
                gone: gone
            )
            return true
        }
        guard isIn else { throw ChannelError.alreadyClosed }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.state.withLock { state in
                guard state.connections.removeValue(forKey: ObjectIdentifier(channel)) != nil else { return }
                state.shares.leave(client.user)
            }
        }
    }

    /// Raised when the client of a connection has gone; nil when the connection is closed already.
    func gone(_ channel: any Channel) -> StopSignal? {
        state.withLock { $0.connections[ObjectIdentifier(channel)]?.gone }
    }

    /// Who uses a connection; nil when it is closed already.
    func client(of channel: any Channel) -> Client? {
        state.withLock { $0.connections[ObjectIdentifier(channel)]?.client }
    }

    /// Ends idle connections now, and the others after the answer they are at; lets nobody in.
    func quiesce() {
        let channels = state.withLock { state in
            state.isClosed = true
            return state.connections.values.map(\.channel)
        }
        for channel in channels {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    /// Ends all connections now.
    func closeAll() {
        let channels = state.withLock { $0.connections.values.map(\.channel) }
        for channel in channels { channel.close(promise: nil) }
    }
}
