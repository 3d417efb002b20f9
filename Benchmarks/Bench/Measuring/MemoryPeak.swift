import Foundation
import Synchronization

/// The most memory that a process and those that it starts take of the machine, watched meanwhile.
final class MemoryPeak: Sendable {
    private let most = Mutex(0.0)
    private let stop = DispatchSemaphore(value: 0)
    private let stopped = DispatchSemaphore(value: 0)

    /// Begins to watch, once in so many seconds: each time takes milliseconds of those that are watched.
    init(of process: pid_t, every interval: Double = 1) {
        Thread.detachNewThread { [self] in
            repeat {
                let now = ProcessTree(of: process).taken
                most.withLock { $0 = max($0, now) }
            } while stop.wait(timeout: .now() + interval) == .timedOut
            stopped.signal()
        }
    }

    /// Ends the watch, and says how much it was (PSS), in MB.
    func end() -> Double {
        stop.signal()
        stopped.wait()
        return most.withLock(\.self) / 1_000_000
    }
}
