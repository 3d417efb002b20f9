import Synchronization

/// The exchange between a browser's connection and the daemon at this moment; it ends when the browser goes.
///
/// A connection serves thousands of requests, one after the other, and its end is one event. So there is one
/// of these for each connection, and nothing is left of a request that is over.
final class CurrentExchange: Sendable {
    private struct State {
        var isOver = false
        var end: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Begins one; `end` is called if the browser goes before ``finish()``, or has gone already.
    func begin(_ end: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.end = end }
            return state.isOver
        }
        if isOver { end() }
    }

    /// It is over: nothing has to be ended any more.
    func finish() { _ = state.withLock { $0.end.take() } }

    /// The browser has gone.
    func browserLeft() {
        let end = state.withLock { state in
            state.isOver = true
            return state.end.take()
        }
        end?()
    }
}
