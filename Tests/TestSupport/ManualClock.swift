import JobCore
import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: Sendable {
    private struct Sleeper {
        var wake: Timestamp
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Timestamp
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// A clock at a moment; 2026-11-21T06:45:03Z unless told otherwise.
    public init(now: Timestamp = Timestamp(microseconds: 1_795_243_503_000_000)) {
        state = Mutex(State(now: now))
    }

    /// The moment the clock shows.
    public var now: Timestamp { state.withLock { $0.now } }

    /// How many sleepers wait for the clock to move.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves the clock on, and wakes those whose moment has come, earliest first.
    public func advance(seconds: Double) {
        let due = state.withLock { state in
            state.now = state.now.adding(seconds: seconds)
            let due = state.sleepers.filter { $0.value.wake <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.wake < $1.wake }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Sleeps until the clock is moved to the moment or past it; throws when cancelled.
    public func sleep(until wake: Timestamp) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isOver, watchers) = state.withLock { state in
                    if wake <= state.now || Task.isCancelled {
                        return (true, [] as [CheckedContinuation<Void, Never>])
                    }
                    state.sleepers[id] = Sleeper(wake: wake, continuation: continuation)
                    defer { state.watchers = [] }
                    return (false, state.watchers)
                }
                for watcher in watchers { watcher.resume() }
                guard isOver else { return }
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    continuation.resume()
                }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until somebody sleeps on this clock, so that a test can move it.
    public func sleeper() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if !state.sleepers.isEmpty { return true }
                state.watchers.append(continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
