import NIOCore
import Synchronization

/// The open connections of a gallery: ``ConnectionPlaces`` decides, and this carries it out.
final class OpenConnections: Sendable {
    private struct State {
        var places = ConnectionPlaces<ObjectIdentifier>()
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    /// The interval at which strangers who take too long are looked for.
    private static let round = TimeAmount.seconds(5)

    private let state = Mutex(State())

    /// Looks for strangers who take too long, until the channel given is closed.
    func watch(until listener: any Channel) {
        let task = listener.eventLoop.scheduleRepeatedTask(initialDelay: Self.round, delay: Self.round) { _ in
            self.closeOverdue()
        }
        listener.closeFuture.whenComplete { _ in task.cancel() }
    }

    /// Admits a connection until it is closed, in the place of another if there is no free one.
    ///
    /// - Throws: `ChannelError` where it gets no place; the connection is then closed.
    func add(_ channel: any Channel) throws {
        let id = ObjectIdentifier(channel)
        let network = channel.remoteAddress.flatMap(SocketEnd.init)?.network ?? []
        let (isIn, leaves) = state.withLock { state -> (Bool, (any Channel)?) in
            switch state.places.enter(id, from: network, now: .now) {
            case .refused: return (false, nil)
            case .enters(let other):
                state.channels[id] = channel
                return (true, other.flatMap { state.channels.removeValue(forKey: $0) })
            }
        }
        leaves?.close(promise: nil)
        guard isIn else { throw ChannelError.alreadyClosed }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { state in
                state.places.leave(id)
                state.channels[id] = nil
            }
        }
    }

    /// A whole request has come on a connection, with the session or without.
    func begin(_ channel: any Channel, isKnown: Bool) {
        state.withLock { $0.places.begin(ObjectIdentifier(channel), isKnown: isKnown) }
    }

    /// A request has been answered.
    func end(_ channel: any Channel) {
        state.withLock { $0.places.end(ObjectIdentifier(channel), now: .now) }
    }

    private func closeOverdue() {
        let overdue = state.withLock { state in
            state.places.takeOverdue(now: .now).compactMap { state.channels.removeValue(forKey: $0) }
        }
        for channel in overdue { channel.close(promise: nil) }
    }
}
