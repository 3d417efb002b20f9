extension Call {
    /// Does something for which its client waits: it is cancelled when the connection is closed.
    ///
    /// A client that only has nothing more to say may still wait.
    func whileWaited<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let closed else { throw CancellationError() }
        return try await closed.untilRaised(body)
    }
}

extension StopSignal {
    /// Does something that is cancelled when the signal is raised.
    ///
    /// - Throws: `CancellationError` if it failed after that, and what `body` throws.
    func untilRaised<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task {
            do {
                return try await body()
            } catch {
                // A reader that was interrupted tells of it in words of its own.
                try Task.checkCancellation()
                throw error
            }
        }
        let token = whenRaised { task.cancel() }
        defer { forget(token) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
