import Dispatch
import Synchronization

/// What comes to the engine from any thread, in order.
final class Inbox: Sendable {
    private struct State {
        var inputs: [EngineInput] = []
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)

    /// Puts an input in; false when the engine takes no more.
    @discardableResult
    func post(_ input: EngineInput) -> Bool {
        let (isTaken, isFirst) = state.withLock { state in
            guard !state.hasEnded else { return (false, false) }
            state.inputs.append(input)
            return (true, state.inputs.count == 1)
        }
        if isFirst { arrival.signal() }
        return isTaken
    }

    /// Waits until there is something or the time is over, and takes all there
    /// is; nil once the inbox has ended and is empty.
    func take(until deadline: DispatchTime) -> [EngineInput]? {
        let isEmpty = state.withLock { $0.inputs.isEmpty && !$0.hasEnded }
        if isEmpty { _ = arrival.wait(timeout: deadline) }
        return state.withLock { state in
            guard !(state.hasEnded && state.inputs.isEmpty) else { return nil }
            defer { state.inputs = [] }
            return state.inputs
        }
    }

    /// Takes no more; what is in is still taken out.
    func end() {
        state.withLock { $0.hasEnded = true }
        arrival.signal()
    }
}
