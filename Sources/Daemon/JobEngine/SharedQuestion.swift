import Synchronization

/// A question whose answer is made once for all who have asked before that was begun, and one at a time.
final class SharedQuestion<Answer: Sendable>: Sendable {
    private struct State {
        var current: Task<Answer, Never>?
        /// The one that is made next, for all who ask meanwhile.
        var next: Task<Answer, Never>?
    }

    private let state = Mutex(State())

    /// Returns an answer that was begun after this was called; `make` makes it unless somebody else has it made.
    func answer(_ make: @escaping @Sendable () async -> Answer) async -> Answer {
        let task = state.withLock { state in
            if let next = state.next { return next }
            let before = state.current
            let next = Task {
                _ = await before?.value
                self.state.withLock { state in
                    state.current = state.next
                    state.next = nil
                }
                let answer = await make()
                // Nobody else needs it.
                self.state.withLock { $0.current = nil }
                return answer
            }
            state.next = next
            return next
        }
        return await task.value
    }
}
