import Synchronization

/// Tells event streams, which never end by themselves, that the server stops.
final class StopSignal: Sendable {
    private struct State {
        var isRaised = false
        var nextToken = 0
        var waiters: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// True from the moment the server stops.
    var isRaised: Bool { state.withLock { $0.isRaised } }

    /// Runs something when the server stops, or at once if it has; answers what ``forget(_:)`` takes.
    func whenRaised(_ action: @escaping @Sendable () -> Void) -> Int? {
        let token: Int? = state.withLock { state in
            guard !state.isRaised else { return nil }
            state.nextToken += 1
            state.waiters[state.nextToken] = action
            return state.nextToken
        }
        if token == nil { action() }
        return token
    }

    /// Takes back what ``whenRaised(_:)`` promised.
    func forget(_ token: Int?) {
        guard let token else { return }
        _ = state.withLock { $0.waiters.removeValue(forKey: token) }
    }

    /// Says that the server stops.
    func raise() {
        let waiters = state.withLock { state in
            state.isRaised = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter() }
    }
}
