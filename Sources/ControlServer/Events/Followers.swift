import Synchronization

/// How many clients follow the events, and who wants to know.
final class Followers: Sendable {
    private let number = Mutex(0)
    private let changed: @Sendable (Int) -> Void

    /// Tells `changed` the number whenever it changes, in order.
    init(changed: @escaping @Sendable (Int) -> Void) { self.changed = changed }

    /// How many there are.
    var count: Int { number.withLock { $0 } }

    /// One more, or one less.
    func add(_ difference: Int) {
        number.withLock { number in
            number += difference
            changed(number)
        }
    }
}
