import Dispatch
import Synchronization

/// A place where the origin waits until a test lets it go on, so that no test sleeps.
public final class OriginGate: Sendable {
    private struct State {
        var isReached = false
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let turnstile = DispatchSemaphore(value: 0)

    /// A closed gate.
    public init() {}

    /// Lets everybody through from now on.
    public func open() { turnstile.signal() }

    /// Waits until the origin stands at the gate: all before it has been sent.
    public func reached() async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if !state.isReached { state.watchers.append(continuation) }
                return state.isReached
            }
            if isReached { continuation.resume() }
        }
    }

    /// The side of the origin, or of another thread that is to stand still: says that it is here, and waits.
    public func pass() {
        let watchers = state.withLock { state in
            state.isReached = true
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in watchers { watcher.resume() }
        turnstile.wait()
        turnstile.signal()
    }
}
