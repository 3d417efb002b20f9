import Synchronization

/// Counts the clients that follow the events.
final class Followers: Sendable {
    private let number = Mutex(0)
    private let changed: @Sendable (Int) -> Void

    init(changed: @escaping @Sendable (Int) -> Void) { self.changed = changed }

    /// The number of followers.
    var count: Int { number.withLock { $0 } }

    /// Adds to the number; `difference` may be negative.
    func add(_ difference: Int) {
        number.withLock { number in
            number += difference
            changed(number)
        }
    }
}
