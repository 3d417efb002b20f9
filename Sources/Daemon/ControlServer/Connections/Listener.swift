import NIOCore
import Synchronization

/// The channel by which connections come in; another one can take its place while the server runs.
final class Listener: Sendable {
    private struct State {
        var channel: (any Channel)?
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// Takes a channel, and closes the one before; connections that came in by that go on.
    func take(_ channel: any Channel) async {
        let old: (any Channel)? = state.withLock { state in
            guard !state.hasEnded else { return channel }
            defer { state.channel = channel }
            return state.channel
        }
        old?.close(promise: nil)
        try? await old?.closeFuture.get()
    }

    /// Closes the channel, and each that comes later.
    func end() {
        let last = state.withLock { state in
            state.hasEnded = true
            return state.channel
        }
        last?.close(promise: nil)
    }

    /// Waits until the last channel is closed.
    func ended() async {
        var last: ObjectIdentifier?
        while let channel = state.withLock(\.channel), ObjectIdentifier(channel) != last {
            last = ObjectIdentifier(channel)
            try? await channel.closeFuture.get()
        }
    }
}
