import JobCore

extension EngineCore {
    /// Writes what was decided; then, and only then, acts and tells.
    ///
    /// With the disk full nothing is lost. New batches are not taken in, and who posts one is told
    /// so; all else has the store's reserve. Where that is used up as well, what was decided is kept
    /// and tried again in a second.
    func commit(now: Moment) throws(StoreFailure) {
        if let commitRetryAt, now < commitRetryAt { return }
        // By number, since rows that lie side by side share pages.
        pending.changes.changedJobs = pending.changed.values.map(\.job).sorted { $0.id < $1.id }
        guard try writePending(now: now) else {
            commitRetryAt = now.adding(seconds: 1)
            for reply in pending.replies { reply(.outOfSpace) }
            pending.replies = []
            return
        }
        commitRetryAt = nil
        let turn = pending
        pending = PendingTurn()
        act(turn)
        tell(turn)
        for (intake, accepted) in turn.accepted {
            for reply in intake.replies { reply(.success(accepted)) }
        }
        for reply in turn.replies { reply(nil) }
        for job in turn.touched where machines[job]?.machine.isLive == false { machines[job] = nil }
    }

    private func act(_ turn: PendingTurn) {
        var confirmed: [JobID] = []
        var stops: [JobID] = []
        for (job, deed) in turn.deeds {
            switch deed {
            case .seal(let name, let mustHash):
                ports.documents.seal(job, wantedName: name, mustHash: mustHash)
            // The hash may have come in the very turn that asked for it.
            case .hash(let document) where machines[job]?.job.sha256 == nil:
                ports.documents.hash(job, document)
            case .publish(let reservation, let name):
                ports.documents.publish(job, reservation, wantedName: name)
            case .syncPartial: ports.documents.sync(job)
            case .discardPartial: ports.documents.discardPartial(of: job)
            case .confirmTransfer: confirmed.append(job)
            case .stopTransfer: stops.append(job)
            case .withdrawDetection: ports.detection.withdraw(job)
            case .hash, .startTransfer, .lookAgain: break
            }
        }
        // Before starts: they mean the transfer that told of them, not one that follows it.
        if !confirmed.isEmpty { ports.transfers.confirm(confirmed) }
        // Starts before stops: a transfer that was started and stopped in one turn is stopped.
        if !turn.transfers.isEmpty { ports.transfers.start(turn.transfers) }
        if !stops.isEmpty { ports.transfers.stop(stops) }
        for request in turn.detections { ports.detection.submit(request) }
    }

    private func tell(_ turn: PendingTurn) {
        let events = turn.changes.events
        if !events.isEmpty {
            let lines = EventLines(events)
            for sink in ports.sinks { sink.append(lines) }
        }
        guard ports.bus.listenerCount > 0 else { return }
        ports.bus.publish(events.map(EventBus.Item.event))
    }

    /// The least seconds between two commits.
    ///
    /// A commit costs the same for one job as for a dozen, so that many small files are written some
    /// at a time; whoever comes first after a pause waits for nothing.
    static let commitInterval = 0.004

    /// Whether what is pending is to be written now: always, but for the pause after another commit.
    func isTimeToCommit(now: Moment) -> Bool {
        guard let committedAt, !pending.changes.isEmpty || !pending.changed.isEmpty else { return true }
        return !pending.replies.isEmpty || !pending.accepted.isEmpty
            || Self.isOver(Self.commitInterval, since: committedAt, now: now)
    }

    /// Begins transfers that nothing rests on yet: in case of a crash they begin anew.
    func startEarlyTransfers() {
        guard !earlyTransfers.isEmpty else { return }
        ports.transfers.start(earlyTransfers)
        earlyTransfers = []
    }

    /// Tells listeners how far transfers have come.
    func tellProgress() {
        guard !progress.isEmpty else { return }
        ports.bus.publish(progress)
        progress = []
    }
}
