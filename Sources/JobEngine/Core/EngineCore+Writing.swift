import JobCore

/// What goes into the next transaction, and what waits for a later one.
extension EngineCore {
    /// Has a job written by the next transaction, with what is to be told of it, and with what was
    /// held before.
    func write(_ kinds: [JobEvent.Kind], of live: LiveJob, now: Moment) {
        let job = live.job.id
        pending.changed[job] = live
        if let held = live.held {
            for event in held.events { number(event) }
            live.held = nil
            heldJobs.remove(job)
            if heldJobs.isEmpty { oldestHeld = nil }
        }
        for kind in kinds { number(event(kind, of: live, now: now)) }
    }

    /// Holds what nobody waits for.
    func hold(_ kinds: [JobEvent.Kind], of live: LiveJob, now: Moment) {
        if live.held == nil {
            live.held = HeldChange(since: now)
            heldJobs.insert(live.job.id)
            oldestHeld = oldestHeld ?? now
        }
        for kind in kinds { live.held?.events.append(event(kind, of: live, now: now)) }
    }

    /// Has what was held long enough written; or all that is held, before the end.
    func releaseHeld(now: Moment, all: Bool = false) {
        guard let oldestHeld, all || Self.isOver(HeldChange.longest, since: oldestHeld, now: now) else {
            return
        }
        var oldest: Moment?
        for job in heldJobs.sorted() {
            guard let live = machines[job], let held = live.held else { continue }
            if all || Self.isOver(HeldChange.longest, since: held.since, now: now) {
                write([], of: live, now: now)
            } else {
                oldest = min(oldest ?? held.since, held.since)
            }
        }
        self.oldestHeld = oldest
    }

    /// Whether so many seconds are over.
    static func isOver(_ seconds: Double, since begin: Moment, now: Moment) -> Bool {
        now.seconds(since: begin) >= seconds
    }

    /// Whether this turn accepts a job, so that nothing of it is in the store yet.
    func isAccepting(_ job: JobID) -> Bool {
        guard let first = pending.changes.newJobs.first else { return false }
        return job >= first.id
    }

    private func event(_ kind: JobEvent.Kind, of live: LiveJob, now: Moment) -> JobEvent {
        JobEvent(
            id: 0,
            time: now,
            batchCreatedAt: live.machine.job.createdAt,
            batch: live.machine.job.batch,
            job: live.machine.job.id,
            kind: kind
        )
    }

    /// Gives an event its place among all.
    ///
    /// One that was held for a moment has the time of those before it: no batch's clock goes back.
    private func number(_ event: JobEvent) {
        var event = event
        event.id = nextEvent
        if let latestEvent { event.time = max(event.time, latestEvent) }
        latestEvent = event.time
        nextEvent += 1
        pending.changes.events.append(event)
    }
}
