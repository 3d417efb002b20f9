import FleetCore
import FleetQueue

/// Work that the agent has its daemon give up.
extension Agent {
    /// The time after which the node asks again what is still its own, when it has heard of something.
    private static let heardInterval = Duration.seconds(1)

    /// Asks now and then what is still this node's own, and has the daemon cancel the rest; gives back what
    /// waits in buckets that are to go to others.
    ///
    /// What is cancelled comes back as an ending, and with it what was published until then is removed.
    func withdraw() throws(FleetQueueError) {
        guard let queue, let node, !isClosed,
            now - askedAt >= (hasHeard ? Self.heardInterval : settings.timing.heartbeat)
        else { return }
        (askedAt, hasHeard) = (now, false)
        guard slices.count > 0 else { return }
        let withdrawn = try queue.withdrawn(of: slices.jobs)
        figures.withdrawn += withdrawn.count
        // Of buckets that are to go, what is quick ends by itself.
        var surplus: Set<FleetJob> = []
        if let drainingSince, now - drainingSince > settings.timing.heartbeat {
            surplus = try queue.draining(of: node).subtracting(withdrawn).subtracting(slices.returning)
        }
        var waits: [FleetJob: Double] = [:]
        defer { slices.wait(waits.keys) }
        do { waits = try daemon.waits() } catch { return daemonTrouble(error) }
        try queue.wait(waits)
        do throws(DaemonError) {
            try cancel(withdrawn)
            try giveBack(surplus)
        } catch {
            daemonTrouble(error)
        }
    }

    /// Cancels jobs that are others' now, or nobody's.
    private func cancel(_ jobs: Set<FleetJob>) throws(DaemonError) {
        for (token, jobs) in Dictionary(grouping: jobs, by: \.token) {
            if let slice = slices.unposted[token], !slice.mayBeThere {
                slices.unposted[token]?.items.removeAll { jobs.contains($0.job) }
                for job in jobs { _ = slices.drop(job) }
            } else if let batch = slices.posted[token]?.batch {
                if slices.held[token]?.count == jobs.count {
                    try daemon.cancel(batch)
                    continue
                }
                let known = try daemon.jobs(of: batch)
                for job in jobs { if let id = known[job]?.id { try daemon.cancel(job: id) } }
            }
        }
    }

    /// Cancels jobs that haven't begun, so that their buckets can go to others; what is under way ends here.
    private func giveBack(_ jobs: Set<FleetJob>) throws(DaemonError) {
        for (token, jobs) in Dictionary(grouping: jobs, by: \.token) {
            guard let batch = slices.posted[token]?.batch else { continue }
            let known = try daemon.jobs(of: batch)
            for job in jobs {
                guard let (id, state) = known[job], [.queued, .waiting, .paused].contains(state) else {
                    continue
                }
                // Each is a transaction of the daemon: the rest can wait.
                guard !lease.wantsRenewal(at: now) else { return }
                slices.give(job)
                try daemon.cancel(job: id)
            }
        }
    }
}
