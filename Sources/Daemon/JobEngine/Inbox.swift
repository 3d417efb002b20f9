import CLinux
import Glibc
import Synchronization

/// The queue of inputs to the engine, which any thread can add to.
final class Inbox: Sendable {
    private struct State {
        var inputs: [EngineInput] = []
        var hasEnded = false
        /// True if the engine's thread is waiting for the bell.
        var isAwaited = false

        mutating func mustRing() -> Bool {
            defer { isAwaited = false }
            return isAwaited
        }
    }

    private let state = Mutex(State())
    private let bell = CLinux_make_bell()
    /// A timer on a clock that nobody sets; a semaphore would wait by the wall clock.
    private let alarm = CLinux_make_alarm()

    deinit {
        close(bell)
        close(alarm)
    }

    /// Adds an input; returns false if the engine no longer accepts any.
    @discardableResult
    func post(_ input: EngineInput) -> Bool {
        let (isTaken, mustRing) = state.withLock { state in
            guard !state.hasEnded else { return (false, false) }
            state.inputs.append(input)
            return (true, state.mustRing())
        }
        if mustRing { CLinux_ring(bell) }
        return isTaken
    }

    /// Waits for inputs, at most for the given number of seconds (nil for no limit), and returns all
    /// there are; nil once the inbox has ended and is empty.
    ///
    /// Only one thread may call this.
    func receive(within seconds: Double?) -> [EngineInput]? {
        let isEmpty = state.withLock { state in
            state.isAwaited = state.inputs.isEmpty && !state.hasEnded
            return state.isAwaited
        }
        if isEmpty {
            // Rounded up, since waking too early would only mean waiting again.
            CLinux_wait(bell, alarm, seconds.map { Int64(min(max(0, $0), 1e9) * 1_000_000 + 0.999) } ?? -1)
        }
        return state.withLock { state in
            state.isAwaited = false
            guard !(state.hasEnded && state.inputs.isEmpty) else { return nil }
            defer { state.inputs = [] }
            return state.inputs
        }
    }

    /// Accepts no more inputs; those already in will still be handled.
    func end() {
        let mustRing = state.withLock { state in
            state.hasEnded = true
            return state.mustRing()
        }
        if mustRing { CLinux_ring(bell) }
    }
}
