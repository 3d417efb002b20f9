import Synchronization

/// The tasks that serve connections, one for each.
///
/// A connection is served as soon as it is set up, on its event loop, and never waits in a stream of
/// accepted connections. If it did when the server stopped, it would be dropped without being closed,
/// and SwiftNIO would end the process.
final class ConnectionTasks: Sendable {
    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Starts to serve a connection.
    func start(_ serve: @escaping @Sendable () async -> Void) {
        state.withLock { $0.count += 1 }
        Task {
            await serve()
            finished()
        }
    }

    /// Waits until no connection is being served.
    func drained() async {
        await withCheckedContinuation { continuation in
            let isDrained = state.withLock { state in
                if state.count > 0 { state.waiting.append(continuation) }
                return state.count == 0
            }
            if isDrained { continuation.resume() }
        }
    }

    private func finished() {
        let waiting = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [] as [CheckedContinuation<Void, Never>] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
