import SourceCore

extension SourceEngine {
    /// Performs an action that somebody waits for, and gives it up if it takes too long: no caller may hold
    /// up the others for ever.
    func inTime<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(SourceRefusal) -> Value
    ) async throws(SourceRefusal) -> Value {
        let limit = parts.configuration.patience
        let result = await withTaskGroup(of: Result<Value, SourceRefusal>?.self) { group in
            group.addTask {
                do throws(SourceRefusal) {
                    return .success(try await body())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let result else {
            let words =
                "it took longer than \(limit.components.seconds) s, turns of others included; try again later"
            throw .page(SourceFailure(.readerTimedOut, words))
        }
        return try result.get()
    }
}
