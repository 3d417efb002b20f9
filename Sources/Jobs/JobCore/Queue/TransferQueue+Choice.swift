import JobModel
import Vocabulary

/// The choice of the job that is fetched next.
extension TransferQueue {
    /// Gives a permit to the next job that may go now and returns it; nil if there is none.
    mutating func choose(now: Moment?) -> JobID? {
        endYields(now: now)
        wakeHosts(now: now)
        if isFull { judgeHosts(now: now) }
        let isFull = isFull
        guard !isFull || limits.ahead > 0 || now != nil && hasRoomForTrials else { return nil }
        bringBackFreed()
        let prefetches = ready.hasNear && prefetchCount < limits.near
        var held: [(entry: TransferEntry, interest: Interest, turn: FlowTable.Turn)] = []
        defer { for (entry, interest, turn) in held { ready.insert(entry, interest, at: turn) } }
        while let (popped, interest) = ready.popNext(prefersNear: prefetches, by: flows) {
            guard let (entry, job) = withoutStale(popped), hosts.all[job.host] != nil,
                let turn = flows.turn(of: job.flow)
            else {
                entryCount -= 1
                continue
            }
            // What nobody looks at isn't even offered while it is held.
            if let interest, flows.isHeld(job.flow) {
                held.append((entry, interest, turn))
                continue
            }
            // Whoever is next gets the next free permit, unless only one of its own host is of use to it.
            if isFull, !isAtLimit(job.host), now == nil || !isTrial(at: job.host) && isWorthwhile(job.host) {
                ready.insert(entry, interest, at: turn)
                return nil
            }
            let isTriable = now == nil || mayTry(job.host)
            let isAhead = interest == .visible || interest == .near && prefetches
            let yields = isTriable && !isAhead && yieldEnd(job.host, of: job.flow, now: now) != nil
            if yields { yielding[job.host, default: []].insert(job.flow) }
            guard isTriable, hasRoom(at: job.host), !yields, mayBegin(at: job.host, now: now) else {
                fallAsleep(job.host, now: now)
                hosts.all[job.host]?.aside.insert(entry, interest, at: turn)
                continue
            }
            if let rest = entry.rest { ready.insert(rest, interest, at: turn) } else { entryCount -= 1 }
            grant(entry.job, job, isPrefetch: interest == .near && prefetches, now: now)
            return entry.job
        }
        return nil
    }

    /// Gives a permit to a queued job.
    private mutating func grant(_ job: JobID, _ place: Queued, isPrefetch: Bool, now: Moment?) {
        queued.remove(job)
        attended.remove(job)
        lastPermit += 1
        active[job] = Active(
            host: place.host,
            priority: place.priority,
            isPrefetch: isPrefetch,
            flow: place.flow,
            since: now,
            number: lastPermit,
            isTrial: limits.trials > 0 && underWayCount - load.spared >= limits.total
        )
        flows.begin(place.flow)
        flows.charge(place.flow, Self.requestCost)
        change(place.host) {
            if let now { $0.hosts.all[place.host]?.begin(now: now) }
            $0.hosts.all[place.host]?.active += 1
        }
        hosts.all[place.host]?.queued -= 1
        begin(job, at: place.host, now: now)
    }
}
