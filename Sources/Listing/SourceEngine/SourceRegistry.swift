import Synchronization

/// The sources that there are, by name, each with the task that runs it.
final class SourceRegistry: Sendable {
    private struct State {
        var runners: [String: SourceRunner] = [:]
        var tasks: [Int64: Task<Void, Never>] = [:]
        var lastID: Int64 = 0
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let turnstile = Turnstile()

    /// All sources, in no particular order.
    var runners: [SourceRunner] { state.withLock { Array($0.runners.values) } }

    /// The source of a name.
    subscript(name: String) -> SourceRunner? { state.withLock { $0.runners[name] } }

    /// Runs `body`, which adds or removes a source, while nobody else does.
    func change<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
        await turnstile.pass(body)
    }

    /// Notes that the numbers up to this one have been given to sources.
    func reserve(through id: Int64) { state.withLock { $0.lastID = max($0.lastID, id) } }

    /// Returns the number for a new source.
    func nextID() -> Int64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// Adds a source that doesn't run yet.
    func add(_ runner: SourceRunner) {
        let name = runner.snapshot.withLock { $0.name }
        state.withLock { $0.runners[name] = runner }
    }

    /// Adds a source if it isn't there yet, and begins to run it.
    func run(_ runner: SourceRunner) {
        let name = runner.snapshot.withLock { $0.name }
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.runners[name] = runner
            state.tasks[runner.id] = Task { await runner.run() }
        }
    }

    /// Removes a source whose task is ending by itself.
    func remove(_ runner: SourceRunner, _ name: String) {
        state.withLock { state in
            state.runners[name] = nil
            state.tasks[runner.id] = nil
        }
    }

    /// Refuses further sources, and returns the tasks of those that run.
    func end() -> [Task<Void, Never>] {
        state.withLock { state in
            state.hasEnded = true
            defer { state.tasks = [:] }
            return Array(state.tasks.values)
        }
    }
}
