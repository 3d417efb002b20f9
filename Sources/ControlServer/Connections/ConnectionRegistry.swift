import NIOCore
import Synchronization

/// The connections that are open, so that a stop can end them.
final class ConnectionRegistry: Sendable {
    private struct Connection {
        var channel: any Channel
        var client: Client
        /// Raised when the client has gone.
        var gone: StopSignal
    }

    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        /// True once the server stops: nobody new comes in.
        var isClosed = false
    }

    private let state = Mutex(State())

    /// How many are open.
    var count: Int { state.withLock { $0.connections.count } }

    /// Keeps a connection in mind until it is closed; called on its event loop.
    ///
    /// - Throws: `ChannelError` once the server stops; the connection is closed then.
    func add(_ channel: any Channel, of client: Client) throws {
        let gone = StopSignal()
        try channel.pipeline.syncOperations.addHandler(InputWatcher(gone: gone))
        let isClosed = state.withLock { state in
            if !state.isClosed {
                state.connections[ObjectIdentifier(channel)] = Connection(
                    channel: channel,
                    client: client,
                    gone: gone
                )
            }
            return state.isClosed
        }
        guard !isClosed else { throw ChannelError.alreadyClosed }
        channel.closeFuture.whenComplete { [weak self] _ in
            _ = self?.state.withLock { $0.connections.removeValue(forKey: ObjectIdentifier(channel)) }
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
