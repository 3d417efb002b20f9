import Synchronization

/// The tasks that serve connections, one each.
///
/// A connection is served from the moment it is set up, on its event loop. It
/// never waits in a stream of accepted connections: one that was still in
/// there when the server stopped would be dropped without being closed, which
/// SwiftNIO answers by ending the process.
final class ConnectionTasks: Sendable {
    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Begins to serve a connection.
    func start(_ serve: @escaping @Sendable () async -> Void) {
        state.withLock { $0.count += 1 }
        Task {
            await serve()
            finished()
        }
    }

    /// Returns when no connection is being served.
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
