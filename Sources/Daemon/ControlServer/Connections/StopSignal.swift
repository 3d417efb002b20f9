import Synchronization

/// Tells event streams, which never end by themselves, that the server is stopping.
final class StopSignal: Sendable {
    private struct State {
        var isRaised = false
        var nextToken = 0
        var waiters: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// True if the signal has been raised.
    var isRaised: Bool { state.withLock { $0.isRaised } }

    /// Runs an action when the signal is raised, or at once if it has been; returns a token for
    /// ``forget(_:)``.
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

    /// Removes the action added by ``whenRaised(_:)``.
    func forget(_ token: Int?) {
        guard let token else { return }
        _ = state.withLock { $0.waiters.removeValue(forKey: token) }
    }

    /// Raises the signal.
    func raise() {
        let waiters = state.withLock { state in
            state.isRaised = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter() }
    }
}
