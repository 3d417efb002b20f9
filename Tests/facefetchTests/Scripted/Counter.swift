import Synchronization

/// Counts calls from several threads.
final class Counter: Sendable {
    private let value = Mutex(0)

    /// How many calls there have been, this one included.
    func next() -> Int {
        value.withLock {
            $0 += 1
            return $0
        }
    }
}
