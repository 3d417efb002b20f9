import Dispatch
import Synchronization

/// A queue of work for threads that may block.
///
/// In each turn a thread takes everything that has gathered, up to a limit, so that costs can be shared.
final class WorkQueue<Work: Sendable>: Sendable {
    private struct State {
        var waiting: [Work] = []
        var head = 0
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)

    /// Adds work, waking threads that wait.
    func add(_ work: Work) {
        state.withLock { $0.waiting.append(work) }
        available.signal()
    }

    /// Waits for work and returns at least one and at most `limit` pieces; nil once the queue has ended.
    func next(atMost limit: Int) -> [Work]? {
        while true {
            available.wait()
            let taken: [Work]? = state.withLock { state in
                guard !state.hasEnded else { return nil }
                let end = min(state.head + limit, state.waiting.count)
                let taken = Array(state.waiting[state.head..<end])
                state.head = end
                if state.head == state.waiting.count || state.head > 1024 {
                    state.waiting.removeFirst(state.head)
                    state.head = 0
                }
                return taken
            }
            guard let taken else {
                available.signal()
                return nil
            }
            if !taken.isEmpty { return taken }
        }
    }

    /// Ends all threads; work that has not been taken is dropped.
    func end() {
        state.withLock { $0.hasEnded = true }
        available.signal()
    }
}
