import JobEngine
import JobModel
import SourceCore
import Vocabulary

/// Removing sources.
extension SourceEngine {
    public func remove(_ name: String, cancelsJobs: Bool) async throws(SourceRefusal) {
        let result: Result<Void, SourceRefusal> = await registry.change {
            do throws(SourceRefusal) {
                return .success(try await self.remove(name))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        guard cancelsJobs else { return }
        let jobs: [JobID]
        do { jobs = try await parts.queries.cancellableJobs(ofSource: name) } catch {
            throw .control(.outOfSpace)
        }
        for job in jobs { _ = try? await parts.control.steer(.cancel, job: job) }
        // What the fleet has got is cancelled there.
        let handed = try? await parts.queries.handedItems(ofSource: name)
        if let handed, !handed.isEmpty { try? await takeBack(handed) }
    }

    private func remove(_ name: String) async throws(SourceRefusal) {
        if let refused = unread.refused(name) { return try await remove(refused, name) }
        let runner = try runner(name)
        do throws(ControlError) {
            let last = try await runner.perform(.remove)
            registry.remove(runner, name)
            let row = SourceRow(id: runner.id, name: nil, recipe: last.recipeText, state: "{}")
            Task { await purge(row) }
        } catch {
            throw .control(error)
        }
    }

    /// Removes a source whose recipe is refused, and which therefore doesn't run.
    private func remove(_ refused: UnreadSources.Refused, _ name: String) async throws(SourceRefusal) {
        let row = SourceRow(id: refused.row.id, name: nil, recipe: refused.row.recipe, state: "{}")
        do throws(ControlError) { try await parts.control.keep(SourceWrite(row)) } catch {
            throw .control(error)
        }
        unread.remove(name)
        Task { await purge(row) }
    }

    /// Forgets the keys that are left of a removed source, a part at a time.
    func purge(_ given: SourceRow) async {
        var row = given
        row.name = nil
        var write = SourceWrite(row)
        write.forgets = .keys
        while !Task.isCancelled {
            do {
                try await parts.control.keep(write)
                guard try await parts.queries.hasKeys(source: row.id) else { return }
            } catch ControlError.outOfSpace {
                try? await Task.sleep(for: .seconds(5))
            } catch {
                return
            }
        }
    }
}
