import Synchronization

/// The time when a gallery was used last.
final class Activity: Sendable {
    private struct State {
        var running = 0
        var last = ContinuousClock.now
    }

    private let state = Mutex(State())

    /// A request has come.
    func begin() { state.withLock { $0.running += 1 } }

    /// A request has been answered, or its browser has gone.
    func end() {
        state.withLock { state in
            state.running -= 1
            state.last = .now
        }
    }

    /// Returns once nobody has asked for anything for so long, or the task is cancelled.
    func awaitQuiet(for time: Duration) async {
        while !Task.isCancelled {
            let left = state.withLock { state in
                state.running > 0 ? time : time - (ContinuousClock.now - state.last)
            }
            guard left > .zero else { return }
            try? await Task.sleep(for: left)
        }
    }
}
