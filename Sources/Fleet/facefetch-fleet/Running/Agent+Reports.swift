import FleetCore

/// Reports of what jobs ended in, and what is put right now and then.
extension Agent {
    /// The interval at which a node looks for batches that it needn't keep any longer.
    private static let keptInterval = Duration.seconds(600)

    /// Reads what the daemon says has ended, reports it, and removes documents that no record names.
    func report() throws(FleetQueueError) {
        guard let queue, let node, slices.count > 0 || !slices.abandoned.isEmpty || !window.isEmpty else {
            return
        }
        var hasMore = true
        while hasMore {
            hasMore = false
            if window.hasRoom {
                let page: DaemonClient.Endings
                do { page = try daemon.endings(after: window.read) } catch { return daemonTrouble(error) }
                // The daemon has another store, which counts anew.
                if page.newest < window.read { return try readAnew(queue, node) }
                // Somebody has forgotten jobs before their endings were read.
                if window.hasMissed(above: page.oldest) { mayLack = true }
                window.accept(page.endings, through: page.last) { isUploaded($0) }
                hasMore = page.hasMore && !lease.wantsRenewal(at: now)
            }
            upload()
            let endings = window.ready(atMost: reportSize.count, at: now)
            // What isn't this node's any more is others', or of another life of the fleet.
            let reported = endings.filter { slices.holds($0.job) }
            guard !endings.isEmpty, !isMisplaced(reported) else { continue }
            guard var recorded = reported.isEmpty ? [] : try record(reported, queue, node) else { return }
            let rest = endings.filter { $0.path != nil && !recorded.contains($0.job) }
            let standing = try queue.standing(of: rest, in: settings.place)
            recorded.formUnion(standing.recorded)
            do throws(DaemonError) {
                let superseded = standing.superseded
                for ending in ReportPlan.leftovers(
                    of: endings,
                    recorded: recorded,
                    superseded: superseded,
                    in: settings.place
                ) { try daemon.removeDocument(of: ending.local) }
            } catch {
                // They are reported again: that may be repeated.
                return daemonTrouble(error)
            }
            count(rest, standing.superseded, recorded)
            window.finish(endings)
            for ending in endings {
                if recorded.contains(ending.job), let bucket = slices.bucket(of: ending.job),
                    ending.state != .cancelled
                {
                    health.ended(
                        bucket: bucket,
                        code: ending.state == .failed ? ending.code ?? "unknown" : nil
                    )
                }
                guard let batch = slices.drop(ending.job) else { continue }
                forget(batch)
            }
            if !lease.wantsRenewal(at: now), !window.ready(atMost: 1, at: now).isEmpty { hasMore = true }
        }
        if mayLack { try returnForgotten() }
    }

    /// Counts endings that weren't recorded, and tells of documents that stay although nothing is known of them.
    private func count(_ rest: [FleetEnding], _ superseded: Set<FleetJob>, _ recorded: Set<FleetJob>) {
        figures.stale += rest.count { superseded.contains($0.job) && !slices.holds($0.job) }
        let unknown = rest.filter { !superseded.contains($0.job) && !recorded.contains($0.job) }
        figures.unknown += unknown.count
        guard let path = unknown.first?.path else { return }
        note(
            "documents",
            "\(unknown.count) stay of which the database knows nothing, such as \(path): they are another fleet's, "
                + "or of a time that the database has lost"
        )
    }

    /// Registers again for a daemon that counts anew; the name is free at once if it has another store.
    private func readAnew(_ queue: FleetQueue, _ node: FleetQueue.Node) throws(FleetQueueError) {
        if let store = try? daemon.store(), store != feeding?.store { try queue.leave(node) }
        self.node = nil
    }

    /// Records endings; nil if the database has refused them, and they are to be reported again.
    ///
    /// What has been read until then is noted with them, and not yet they themselves: after a crash they come
    /// again, and with them the documents that have to go.
    private func record(
        _ endings: [FleetEnding],
        _ queue: FleetQueue,
        _ node: FleetQueue.Node
    ) throws(FleetQueueError) -> Set<FleetJob>? {
        let spares = { [slices, isClosed] job in isClosed || slices.returning.contains(job) }
        var plan = ReportPlan(endings, in: settings.place, spares: spares)
        while true {
            do {
                let sent = now
                let recorded = try queue.report(plan, through: window.through, by: node)
                figures.reports.add(now - sent)
                figures.add(plan, recorded: recorded)
                reportSize.succeeded()
                return recorded
            } catch {
                guard case .refused(let code) = error.kind else {
                    _ = reportSize.refused(code: nil, reported: endings.count)
                    throw error
                }
                note("database", error.description)
                figures.databaseFailures += 1
                switch reportSize.refused(code: code, reported: endings.count) {
                case .strip where !plan.isBare: plan.strip()
                case .fewer: return nil
                case .strip, .later:
                    for ending in endings { window.postpone(ending, until: now + ReportSize.wait) }
                    return nil
                }
            }
        }
    }

    /// Now and then looks for slices of which the daemon knows nothing more.
    func tidy() throws(FleetQueueError) {
        guard now - tidiedAt > settings.timing.heartbeat else { return }
        tidiedAt = now
        if let queue, let node, !slices.finished.isEmpty {
            try queue.finish(slices.finished, of: node)
            slices.finished = []
        }
        if settings.keep != nil, now - lookedForKeptAt > Self.keptInterval {
            lookedForKeptAt = now
            findAbandoned()
        }
        forgetAbandoned()
        for token in lostSlices() {
            guard let queue, let node, let jobs = slices.held[token] else { continue }
            var plan = ReportPlan()
            plan.returned = Array(jobs)
            _ = try queue.report(plan, through: window.through, by: node)
            for job in jobs { _ = slices.drop(job) }
        }
    }

    // MARK: - The place of documents

    /// Notes it if a document isn't in the shared folder; returns whether one isn't.
    func isMisplaced(_ endings: [FleetEnding]) -> Bool {
        guard case .shared = settings.place else { return false }
        misplaced = endings.first { $0.path != nil && settings.place.address(of: $0) == nil }?.path
        return misplaced != nil
    }

    /// Fails if the daemon's documents aren't in the shared folder, where others look for them.
    func checkPlace() throws(FleetFailure) {
        guard let misplaced, case .shared(let folder) = settings.place else { return }
        throw FleetFailure(
            .badSettings,
            "The daemon has stored \(misplaced), which is not in documents-path (\(folder)): give it a --documents-dir "
                + "there."
        )
    }
}
