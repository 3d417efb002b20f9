import JobEngine
import JobModel
import SourceCore
import Vocabulary

/// Showing sources, and steering one.
extension SourceEngine {
    func runner(_ name: String) throws(SourceRefusal) -> SourceRunner {
        guard let runner = registry[name] else {
            guard !unread.contains(name) else { throw .unread(name) }
            throw unread.refused(name).map { .unusable(name, $0.words) } ?? .noSuchSource(name)
        }
        return runner
    }

    public func secretsRefusal(_ name: String) throws(SourceRefusal) -> SourceRefusal? {
        if let refused = unread.refused(name) { return refused.mayNameSecrets ? .mayHaveSecrets(name) : nil }
        return try source(name).recipe.secrets.isEmpty ? nil : .hasSecrets(name)
    }

    public func sources() -> [SourceSnapshot] {
        registry.runners.map { $0.snapshot.withLock { $0 } }.sorted { $0.name < $1.name }
    }

    public func unreadSources() -> [UnreadSource] { unread.shown }

    public func source(_ name: String) throws(SourceRefusal) -> SourceSnapshot {
        try runner(name).snapshot.withLock { $0 }
    }

    public func jobsByState(of name: String) async throws -> [JobState: Int] {
        guard let runner = registry[name] else { return try await parts.queries.jobsByState(ofSource: name) }
        let begun = parts.now()
        if let kept = runner.count.withLock({ $0 }), kept.lasts(at: begun) { return kept.byState }
        let counted = try await parts.queries.jobsByState(ofSource: name)
        runner.count.withLock { $0 = LastingCount(counted, begun: begun, ended: parts.now()) }
        return counted
    }

    public func pages(of name: String) async throws -> [PageRecord] {
        let id = try unread.row(name)?.id ?? runner(name).id
        return try await parts.queries.pages(of: id).compactMap { body in
            guard var record = StoredSource.value(PageRecord.self, body) else { return nil }
            record.time = StoredSource.limited(record.time)
            return record
        }
    }

    public func steer(
        _ action: SourceAction,
        _ name: String,
        fetchesMissing: Bool
    ) async throws(SourceRefusal) -> SourceSnapshot {
        let runner = try runner(name)
        do throws(ControlError) {
            return switch action {
            case .poll: try await runner.perform(.poll(fetchesMissing: fetchesMissing))
            case .more: try await runner.perform(.more)
            case .pause: try await runner.perform(.pause(""))
            case .resume: try await runner.perform(.resume)
            }
        } catch {
            throw .control(error)
        }
    }
}
