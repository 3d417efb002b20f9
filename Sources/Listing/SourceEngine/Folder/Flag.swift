import Synchronization

/// A flag that any thread can raise, once and for all.
final class Flag: Sendable {
    private let state = Mutex(false)

    /// True if it was raised.
    var isRaised: Bool { state.withLock { $0 } }

    /// Raises it.
    func raise() { state.withLock { $0 = true } }
}
