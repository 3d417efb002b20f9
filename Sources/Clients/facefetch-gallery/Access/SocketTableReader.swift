import NIOCore
import NIOPosix
import Synchronization

/// Reads the kernel's tables of sockets on a thread of its own, for all who wait at once.
///
/// A machine may have ten thousand sockets, and whoever it is may have made them. So what it takes to read the
/// tables is spent once for all connections that have come meanwhile, and never on a thread that serves any. How many
/// wait at once is bounded by how many are open at once.
final class SocketTableReader: Sendable {
    private struct State {
        var waiting: [(pair: SocketPair, promise: EventLoopPromise<UInt32?>)] = []
        var isReading = false
    }

    private let read: @Sendable ([SocketPair]) -> [SocketPair: UInt32]
    private let thread: NIOThreadPool
    private let state = Mutex(State())

    /// Creates a reader; `read` finds the users of some connections.
    init(
        read: @escaping @Sendable ([SocketPair]) -> [SocketPair: UInt32] = { SocketTable.users(of: $0) }
    ) {
        self.read = read
        thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
    }

    deinit { thread.shutdownGracefully { _ in } }

    /// Finds the user of the process that has made a connection; nil if nobody here has it.
    func user(of pair: SocketPair, on loop: any EventLoop) -> EventLoopFuture<UInt32?> {
        let promise = loop.makePromise(of: UInt32?.self)
        let begins = state.withLock { state in
            state.waiting.append((pair, promise))
            defer { state.isReading = true }
            return !state.isReading
        }
        if begins { thread.submit { _ in self.readAll() } }
        return promise.futureResult
    }

    private func readAll() {
        while true {
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                state.isReading = !state.waiting.isEmpty
                return state.waiting
            }
            guard !waiting.isEmpty else { return }
            let users = read(waiting.map(\.pair))
            for one in waiting { one.promise.succeed(users[one.pair]) }
        }
    }
}
