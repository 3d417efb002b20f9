import ControlAPI
import FleetCore
import FoundationEssentials

/// The agent's work with its daemon; whatever fails is tried again with the next step.
extension Agent {
    /// Asks the daemon how it stands before it is told that it may go on: one that has died goes on with nothing until
    /// then.
    func hearDaemon() {
        guard slices.posted.values.contains(where: wantsRenewal), lease.standing(at: now) == .works else {
            return
        }
        do { _ = try heard() } catch { daemonTrouble(error) }
    }

    /// Returns how the daemon stands, and notes whether it has died since the last time.
    func heard() throws(DaemonError) -> DaemonClient.Standing {
        let sent = now
        let standing = try daemon.standing()
        life.heard(up: standing.uptime, sentAt: sent, answeredAt: now)
        return standing
    }

    /// Blames what was under way when the daemon died; slices with suspects go back, to come again in others.
    func blame() throws(FleetQueueError) {
        guard life.owesBlame, let queue, let node else { return }
        let begun = slices.begun
        let suspects = try begun.isEmpty ? [] : queue.blame(begun)
        for token in Set(suspects.map(\.token)) {
            var plan = ReportPlan()
            plan.returned = Array(slices.held[token] ?? [])
            _ = try queue.report(plan, through: window.through, by: node)
            figures.returned += plan.returned.count
            slices.abandon(token)
        }
        life.blamed()
        guard !begun.isEmpty else { return }
        note(
            "daemon",
            "it has died, or was started again, with \(begun.count) jobs; \(suspects.count) are suspected"
        )
    }

    /// Returns whether it is time to renew a slice's lease.
    private func wantsRenewal(_ slice: Slices.Posted) -> Bool {
        slice.renewedAt.map { now - $0 >= settings.timing.heartbeat } ?? true
    }

    /// Renews what the daemon has, while the node may have it work, and else lets it lapse.
    func keepDaemon() {
        let standing = lease.standing(at: now)
        for (token, slice) in slices.posted {
            do {
                switch standing {
                case .works:
                    guard wantsRenewal(slice), !life.owesBlame else { continue }
                    let seconds = lease.daemonLease(at: now)
                    guard seconds > 0 else { continue }
                    let sent = now
                    if try daemon.renew(slice.batch, seconds: seconds) {
                        slices.posted[token]?.renewedAt = sent
                    } else {
                        slices.posted[token] = nil
                    }
                case .pauses, .stopped:
                    guard slice.renewedAt != nil else { continue }
                    _ = try daemon.renew(slice.batch, seconds: 0)
                    slices.posted[token]?.renewedAt = nil
                    note("lease", "the database has not been heard of for too long: downloads pause")
                }
            } catch {
                return daemonTrouble(error)
            }
        }
    }

    /// Hands slices over.
    func post() {
        for (token, slice) in slices.unposted {
            let seconds = lease.daemonLease(at: now)
            guard seconds > 0 else { return }
            do {
                if slice.mayBeThere, let batch = try daemon.batch(key: slice.key) {
                    slices.posted[token] = Slices.Posted(batch: batch.id, renewedAt: nil)
                    slices.unposted[token] = nil
                    hearDaemon()
                    keepDaemon()
                    continue
                }
                slices.unposted[token]?.mayBeThere = true
                let sent = now
                let batch = try daemon.post(slice, lease: seconds)
                slices.posted[token] = Slices.Posted(batch: batch.id, renewedAt: sent)
                slices.unposted[token] = nil
            } catch .refused(let problem) where problem.code == "invalid_items" && problem.errors != nil {
                refuse(Set((problem.errors ?? []).map(\.index)), problem.detail, of: token)
            } catch .refused(let problem) where problem.code == "idempotency_key_reused" {
                return giveBack(token)
            } catch {
                return daemonTrouble(error)
            }
        }
    }

    /// Records items that the daemon doesn't take as failed, and posts the others with the next step.
    private func refuse(_ places: Set<Int>, _ reason: String, of token: Int64) {
        guard let queue, let node, let items = slices.unposted[token]?.items else { return }
        let bad = places.filter(items.indices.contains).map { items[$0].job }
        var plan = ReportPlan()
        let error = FleetRecord.errorJSON(code: "invalid_item", message: reason)
        plan.records = bad.map { job in
            var record = FleetRecord(job: job, state: .failed)
            record.error = error
            return record
        }
        do { _ = try queue.report(plan, through: window.through, by: node) } catch {
            return note("database", error.description)
        }
        slices.unposted[token]?.items.removeAll { bad.contains($0.job) }
        // A slice that was refused is no batch, so its key is free.
        slices.unposted[token]?.mayBeThere = false
        for job in bad { _ = slices.drop(job) }
    }

    /// Gives a slice back whose key was used for another one, and ends the fleet's life.
    ///
    /// So the database was put back to an earlier moment, and nothing in it has shown that: its numbers come again.
    private func giveBack(_ token: Int64) {
        guard let queue, let node, let jobs = slices.held[token] else { return }
        var plan = ReportPlan()
        plan.returned = Array(jobs)
        do throws(FleetQueueError) {
            _ = try queue.report(plan, through: window.through, by: node)
            try queue.endLife()
        } catch {
            return note("database", error.description)
        }
        figures.returned += jobs.count
        for job in jobs { _ = slices.drop(job) }
        Output.note(
            "the daemon has had a slice of this number before: the database was restored, and the fleet begins a "
                + "new life"
        )
        beginAnew()
    }

    /// Forgets a batch that has been reported, unless the node keeps such for a while.
    func forget(_ batch: Int64) {
        guard settings.keep == nil else { return }
        do { try daemon.forget(batch) } catch { slices.abandoned.insert(batch) }
    }

    /// Finds what an earlier run has left in the daemon of slices that are no longer this node's.
    func findAbandoned() {
        do {
            for batch in try daemon.leasedBatches() {
                if batch.hasEnded, isKept(batch) { continue }
                guard let job = try daemon.job(of: batch.id), !slices.holdsSlice(of: job) else { continue }
                slices.abandoned.insert(batch.id)
            }
        } catch {
            daemonTrouble(error)
        }
    }

    /// Returns whether a batch that has ended stays with the daemon for now.
    private func isKept(_ batch: BatchJSON) -> Bool {
        guard let keep = settings.keep, let age = batch.age else { return false }
        return age < keep / .seconds(1)
    }

    /// Cancels batches that are others' now, and forgets those that have ended once their endings were read.
    func forgetAbandoned() {
        for batch in slices.abandoned {
            do {
                try daemon.cancel(batch)
                guard let shown = try daemon.batch(batch) else {
                    slices.abandoned.remove(batch)
                    continue
                }
                guard shown.hasEnded, window.isEmpty,
                    try daemon.endings(after: window.read).last == window.read
                else { continue }
                if !isKept(shown) { try daemon.forget(batch) }
                slices.abandoned.remove(batch)
            } catch {
                return daemonTrouble(error)
            }
        }
    }

    /// Returns the slices that are held and that the daemon doesn't have: somebody has forgotten their jobs, or
    /// its store was lost.
    func lostSlices() -> [Int64] {
        slices.held.keys.filter { slices.posted[$0] == nil && slices.unposted[$0] == nil }
    }

    /// Gives back jobs of which the daemon knows nothing more, because somebody has forgotten them there before
    /// their endings were read.
    func returnForgotten() throws(FleetQueueError) {
        guard let queue, let node, slices.unposted.isEmpty, window.hasRoom else { return }
        let read = window.jobs
        for (token, slice) in slices.posted {
            guard !lease.wantsRenewal(at: now) else { return }
            let known: Set<FleetJob>
            do { known = Set(try daemon.jobs(of: slice.batch).keys) } catch { return daemonTrouble(error) }
            var plan = ReportPlan()
            plan.returned = slices.lacking(of: token, known: known.union(read))
            guard !plan.returned.isEmpty else { continue }
            Output.note(
                "the daemon has forgotten \(plan.returned.count) jobs of the fleet: they are queued again"
            )
            _ = try queue.report(plan, through: window.through, by: node)
            figures.returned += plan.returned.count
            for job in plan.returned { if let batch = slices.drop(job) { forget(batch) } }
        }
        mayLack = false
    }
}

extension BatchJSON {
    /// True if all of its jobs have ended.
    fileprivate var hasEnded: Bool {
        [.done, .failed, .cancelled].reduce(0) { $0 + (states[.known($1)] ?? 0) } == jobCount
    }

    /// The seconds since it was accepted; nil if the daemon's time makes no sense.
    fileprivate var age: Double? {
        let date =
            (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(createdAt))
            ?? (try? Date.ISO8601FormatStyle().parse(createdAt))
        return date.map { -$0.timeIntervalSinceNow }
    }
}
