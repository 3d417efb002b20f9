import Synchronization

/// The page that a source is asking for or reading, which a request to its source can cut short.
///
/// A page may take minutes; whoever pauses, changes or removes its source doesn't wait for it. The cursor
/// stays where it is, so the page is asked for again if the source goes on.
final class PageUnderWay: Sendable {
    private struct State {
        /// The number of requests that have cut a page short, or would, and are still to be handled.
        var requests = 0
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let executor: (any TaskExecutor)?

    /// Creates one without a page.
    ///
    /// - Parameter executor: The executor on which pages are asked for and read; nil for that of whoever asks.
    init(executor: (any TaskExecutor)? = nil) { self.executor = executor }

    /// Gives up the page, and every further one until ``requestIsHandled()``.
    func cutShort() {
        let cancel = state.withLock { state in
            state.requests += 1
            return state.cancel
        }
        cancel?()
    }

    /// Notes that one of the requests for which pages are given up is handled.
    func requestIsHandled() { state.withLock { $0.requests -= 1 } }

    /// Runs `body`, which asks for a page or reads it; returns nil if it was cut short, also by the
    /// cancellation of the current task.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
        let task = state.withLock { state -> Task<Value, Never>? in
            guard state.requests == 0 else { return nil }
            let task = Task(executorPreference: executor) { await body() }
            state.cancel = { task.cancel() }
            return task
        }
        guard let task else { return nil }
        let value = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        state.withLock { $0.cancel = nil }
        return task.isCancelled ? nil : value
    }
}
