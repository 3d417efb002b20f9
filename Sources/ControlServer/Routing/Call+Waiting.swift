extension Call {
    /// Does something for which its client waits: it is cancelled when the connection is closed.
    ///
    /// A client that only has nothing more to say may still wait.
    func whileWaited<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let closed else { throw CancellationError() }
        let task = Task { try await body() }
        let token = closed.whenRaised { task.cancel() }
        defer { closed.forget(token) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
