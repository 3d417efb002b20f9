import FleetCore

/// Work that the agent has its daemon give up.
extension Agent {
    /// The time after which the node asks again what is still its own, when it has heard of something.
    private static let heardInterval = Duration.seconds(1)

    /// Asks now and then what is still this node's own, and has the daemon cancel the rest; gives back what
    /// waits in buckets that are to go to others, and what waits for hosts beyond their share.
    ///
    /// What is cancelled comes back as an ending, and with it what was published until then is removed.
    func withdraw() throws(FleetQueueError) {
        guard let queue, let node, !isClosed,
            now - askedAt >= (hasHeard ? Self.heardInterval : settings.timing.heartbeat)
        else { return }
        (askedAt, hasHeard) = (now, false)
        // Of a daemon that doesn't say, what waited last does so still.
        guard let waits = look() else { return }
        slices.wait(Set(waits.keys), slice: settings.slice)
        guard slices.count > 0 else { return }
        let withdrawn = try queue.withdrawn(of: slices.jobs)
        figures.withdrawn += withdrawn.count
        // Of buckets that are to go, what is quick ends by itself.
        var surplus: Set<FleetJob> = []
        if let drainingSince, now - drainingSince > settings.timing.heartbeat {
            surplus = try queue.draining(of: node).subtracting(withdrawn).subtracting(slices.returning)
        }
        surplus.formUnion(slices.shares.surplus.subtracting(withdrawn))
        // What waits for a disk here may go to others at once.
        var seconds = waits.filter { !$0.value.lacksRoom && $0.value.seconds >= 1 }.mapValues(\.seconds)
        for job in slices.shares.surplus where waits[job]?.lacksRoom == false {
            seconds[job] = max(seconds[job] ?? 0, WaitingShare.pause)
        }
        try queue.wait(seconds)
        do throws(DaemonError) {
            try cancel(withdrawn)
            try giveBack(surplus)
        } catch {
            daemonTrouble(error)
        }
    }

    /// Asks the daemon how it stands, notes whether it begins anything, and returns what waits there; nil if it doesn't
    /// say.
    private func look() -> [FleetJob: DaemonClient.Wait]? {
        do {
            let standing = try heard()
            // What is queued for a host at which nothing is begun waits as well.
            let held = slices.jobs(at: standing.hosts).mapValues {
                DaemonClient.Wait(seconds: $0, lacksRoom: false)
            }
            let waits = try slices.count > 0 ? daemon.waits().merging(held) { own, _ in own } : [:]
            let evidence = NodeHold.Evidence(
                reason: standing.reason,
                room: standing.room,
                slice: settings.slice,
                held: slices.count,
                lackingRoom: waits.count { $0.value.lacksRoom && slices.holds($0.key) },
                paused: try standing.hasPaused ? paused() : 0
            )
            hold.heard(evidence, at: now)
            return waits
        } catch {
            daemonTrouble(error)
            return nil
        }
    }

    /// Returns how many of the node's jobs somebody has paused.
    private func paused() throws(DaemonError) -> Int {
        // What the node's own lease holds is paused, too.
        guard lease.standing(at: now) == .works else { return 0 }
        var paused = 0
        for slice in slices.posted.values {
            paused += try daemon.batch(slice.batch)?.states[.known(.paused)] ?? 0
        }
        return paused
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
            let jobs = Set(jobs)
            let known = try daemon.jobs(of: batch).filter { $0.value.state?.isFinal != true }
            let idle = known.filter { [.queued, .waiting, .paused].contains($0.value.state) }.keys
            if idle.count == known.count, jobs.isSuperset(of: idle) {
                for job in idle { slices.give(job) }
                try daemon.cancel(batch)
                continue
            }
            for job in jobs.intersection(idle) {
                guard let id = known[job]?.id else { continue }
                // Each is a transaction of the daemon: the rest can wait.
                guard !lease.wantsRenewal(at: now) else { return }
                slices.give(job)
                try daemon.cancel(job: id)
            }
        }
    }
}
