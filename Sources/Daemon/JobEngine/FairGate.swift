import JobCore
import Synchronization

/// A gate at which those who want something done wait for their turns (``FairTurns``), or give up.
public final class FairGate<Key: Hashable & Sendable>: Sendable {
    private struct State {
        var turns: FairTurns<Key>
        var lastTicket = 0
        /// Those who wait for their turn, which they get or give up.
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state: Mutex<State>

    /// A gate behind which so many have something done at the same time.
    public init(width: Int) { state = Mutex(State(turns: FairTurns(width: width))) }

    /// The number of those who wait.
    var waiting: Int { state.withLock { $0.turns.waiting } }

    /// Does something once it is its turn.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before, and what `body` throws.
    public func pass<Value: Sendable>(
        _ key: Key,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        guard await enter(key) else { throw CancellationError() }
        defer { leave(key) }
        return try await body()
    }

    /// Waits for a turn, which ends with ``leave(_:)``; false if the task was cancelled before it came.
    func enter(_ key: Key) async -> Bool {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWanted = letIn { state in
                    // What is cancelled later finds it waiting.
                    guard !Task.isCancelled else { return nil }
                    state.waiting[ticket] = continuation
                    return state.turns.enter(ticket, of: key)
                }
                if !isWanted { continuation.resume(returning: false) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.turns.giveUp(ticket, of: key) ? state.waiting.removeValue(forKey: ticket) : nil
            }
            waiter?.resume(returning: false)
        }
    }

    /// Ends a turn.
    func leave(_ key: Key) { letIn { $0.turns.leave(key) } }

    /// Wakes those whose turn it is after a change; false if nothing was changed.
    @discardableResult
    private func letIn(after change: (inout State) -> [Int]?) -> Bool {
        let woken = state.withLock { state in
            change(&state)?.compactMap { state.waiting.removeValue(forKey: $0) }
        }
        for continuation in woken ?? [] { continuation.resume(returning: true) }
        return woken != nil
    }
}
