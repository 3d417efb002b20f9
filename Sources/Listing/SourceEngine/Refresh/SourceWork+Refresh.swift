import JobEngine
import JobModel
import SourceCore

/// Asking about a source's pictures again: beside its pages, a batch at a time, each of which is written with
/// the jobs that come of it in one transaction.
///
/// After a kill the batch is asked about again, and what became jobs is known by those.
extension SourceWork {
    /// Commits the result of the last batch, and begins another if it is time to.
    ///
    /// - Parameter ended: Called when a batch has ended.
    /// - Returns: the seconds until it is time to look again; nil for whenever something else happens.
    func stepRefresh(ended: @escaping @Sendable () -> Void) async -> Double? {
        guard !isRemoved, !isForgetting else { return nil }
        if let under = refresh {
            guard let result = under.result else { return nil }
            refresh = nil
            guard let result, await commit(result) else { return Self.roomIntervals.lowerBound }
        }
        let step = machine.nextRefresh(now: now)
        show()
        switch step {
        case .rest(let until): return until.map { min(max(0, $0 - now), Self.longestRest) }
        case .ask(let place, let since):
            // These requests are traffic like transfers, and lead to some.
            guard !parts.control.holdsTransfers, await hasRoomAhead() else { return Self.longestHold }
            let visit = RefreshVisit(
                source: id,
                after: place.map { ItemHash(high: $0.high, low: $0.low) },
                since: since,
                check: PictureCheck(
                    requests: PictureRequests(source: snapshot, secrets: parts.secrets),
                    pages: parts.pages
                ),
                queries: parts.queries,
                now: parts.now
            )
            refresh = RefreshTask(visit, ended: ended)
            return nil
        }
    }

    /// Gives up what is being asked.
    func dropRefresh() {
        refresh?.cancel()
        refresh = nil
    }

    /// Returns whether few enough of its jobs are queued or downloading for more.
    private func hasRoomAhead() async -> Bool {
        let recipe = machine.recipe
        let count = try? await parts.queries.unfinishedJobs(ofSource: recipe.name, upTo: recipe.ahead)
        return count.map { $0 < recipe.ahead } ?? false
    }

    /// Commits the result of a batch; returns false if that isn't possible now, so that the batch is repeated.
    private func commit(_ result: RefreshTask.Result) async -> Bool {
        let before = machine
        do {
            var write = SourceWrite(row)
            write.checks = result.unchanged
            var jobs: [NewJob] = []
            for item in result.changed {
                guard let job = try await successor(of: item) else { continue }
                write.keys.append(.init(hash: item.hash, item: jobs.count))
                jobs.append(job)
            }
            var report = result.report
            report.trouble = report.trouble.map(mask.maskedExcerpt)
            machine.refreshed(report, now: now)
            try await commit(write, jobs: jobs)
            log(report)
            return true
        } catch {
            machine.takeBack(to: before)
            return false
        }
    }

    /// The job that fetches the new version of an item's picture; nil if the item has another job by now, or
    /// its own is fetched again.
    private func successor(of item: FetchedItem) async throws -> NewJob? {
        let present = try await parts.queries.fetchedItem(item.hash, of: id)
        guard let present, present.job == item.job, present.isFetched,
            let job = try await parts.queries.job(item.job)
        else { return nil }
        return NewJob(successorOf: job, by: machine.recipe)
    }

    private func log(_ report: RefreshReport) {
        let counts = report.counts
        guard counts.changed + counts.gone + counts.unanswered > 0 else { return }
        var words =
            "the source \(machine.recipe.name) was asked about \(counts.asked) of its pictures: "
            + "\(counts.changed) have changed, \(counts.gone) are gone, \(counts.unanswered) without an answer"
        if let trouble = report.trouble { words += "; \(trouble)" }
        parts.logger.notice("\(words)")
    }
}

extension NewJob {
    /// The job that fetches another version of the picture that a job has fetched.
    init(successorOf job: Job, by recipe: Recipe) {
        var options = JobOptions(meta: job.meta, source: recipe.name, itemKey: job.itemKey)
        options.isEvictable = recipe.keep == .evictable
        options.weight = recipe.weight
        options.folder = job.options.folder
        self.init(
            url: job.url,
            // A free name is derived from the requested name, not from the one that was free then.
            name: job.hasGivenName ? DocumentName.unnumbered(job.name) : nil,
            priority: job.priority,
            options: options
        )
    }
}
