import JobEngine
import JobModel

/// Items that sources hand to the queue of a fleet (`queue: fleet`).
extension SourceEngine {
    public func handedItems(after: Int64, limit: Int) async throws -> [HandedItem] {
        try await parts.queries.handedItems(after: after, limit: limit)
    }

    public func handedCount(of name: String) async throws -> Int {
        try await parts.queries.handedCount(ofSource: name)
    }

    public func takeBack(_ items: [Int64]) async throws(ControlError) {
        guard !items.isEmpty else { return }
        try await parts.control.keep(SourceWrite(returned: items))
        for runner in registry.runners { runner.jobsMoved() }
    }
}
