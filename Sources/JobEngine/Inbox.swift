import CLinux
import Glibc
import Synchronization

/// What comes to the engine from any thread, in order.
final class Inbox: Sendable {
    private struct State {
        var inputs: [EngineInput] = []
        var hasEnded = false
        /// Whether the engine's thread waits for the bell.
        var isAwaited = false

        mutating func mustRing() -> Bool {
            defer { isAwaited = false }
            return isAwaited
        }
    }

    private let state = Mutex(State())
    private let bell = CLinux_make_bell()
    /// Waits are measured by a clock that nobody sets: a semaphore's would end when the wall clock says so.
    private let alarm = CLinux_make_alarm()

    deinit {
        close(bell)
        close(alarm)
    }

    /// Puts an input in; false when the engine takes no more.
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

    /// Waits until there is something or the seconds are over, nil for no end, and takes all there
    /// is; nil once the inbox has ended and is empty.
    ///
    /// For one thread.
    func take(within seconds: Double?) -> [EngineInput]? {
        let isEmpty = state.withLock { state in
            state.isAwaited = state.inputs.isEmpty && !state.hasEnded
            return state.isAwaited
        }
        if isEmpty {
            // Rounded up: who comes a moment too early only has to wait again.
            CLinux_wait(bell, alarm, seconds.map { Int64(min(max(0, $0), 1e9) * 1_000_000 + 0.999) } ?? -1)
        }
        return state.withLock { state in
            state.isAwaited = false
            guard !(state.hasEnded && state.inputs.isEmpty) else { return nil }
            defer { state.inputs = [] }
            return state.inputs
        }
    }

    /// Takes no more; what is in is still taken out.
    func end() {
        let mustRing = state.withLock { state in
            state.hasEnded = true
            return state.mustRing()
        }
        if mustRing { CLinux_ring(bell) }
    }
}
