import Synchronization

/// Counts calls from several threads.
final class Counter: Sendable {
    private let value = Mutex(0)

    /// Returns the number of calls, this one included.
    func next() -> Int {
        value.withLock {
            $0 += 1
            return $0
        }
    }
}
