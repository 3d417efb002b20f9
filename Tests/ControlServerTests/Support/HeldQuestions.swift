import Synchronization

/// Holds questions where the store would answer them, until a test lets all go.
final class HeldQuestions: Sendable {
    private struct State {
        var names: [String] = []
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The names of the questions that have come so far, in order.
    var names: [String] { state.withLock { $0.names } }

    /// Takes note of a question, and returns once it may be answered.
    func come(_ name: String) async {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                state.names.append(name)
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if goesOn { continuation.resume() }
        }
    }

    /// Returns once so many questions have come.
    func haveCome(_ count: Int) async { while names.count < count { await Task.yield() } }

    /// Lets all go, now and in future.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
