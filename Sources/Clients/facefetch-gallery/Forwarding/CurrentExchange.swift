import Synchronization

/// The exchange between a browser's connection and the daemon at this moment; it ends when the browser goes.
///
/// A connection serves thousands of requests, one after the other, and its end is one event. So there is one
/// of these for each connection, and nothing is left of a request that is over.
final class CurrentExchange: Sendable {
    private struct State {
        var isOver = false
        /// True if the browser has closed its half, so that it sends nothing more.
        var hasInputEnded = false
        /// True if what goes on lasts until the browser goes, which then only shows in that.
        var isEndless = false
        var end: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Begins one; `end` is called if the browser goes before ``finish()``, or has gone already.
    ///
    /// - Parameter isEndless: True if it has no end of its own, so that it is also over when the browser closes its
    ///   half of the connection: most say with that that they have gone.
    func begin(isEndless: Bool = false, _ end: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            let isOver = state.isOver || isEndless && state.hasInputEnded
            if !isOver { (state.end, state.isEndless) = (end, isEndless) }
            return isOver
        }
        if isOver { end() }
    }

    /// The browser has closed its half.
    func inputEnded() {
        let end = state.withLock { state in
            state.hasInputEnded = true
            return state.isEndless ? state.end.take() : nil
        }
        end?()
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
