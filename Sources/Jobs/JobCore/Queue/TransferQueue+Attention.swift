import JobModel
import Vocabulary

/// Jobs that wait for another reason than their turn, and those that come before it.
extension TransferQueue {
    /// The number of permits held only because someone may soon look at what they bring.
    var prefetchCount: Int { active.count { $0.value.isPrefetch && interests[$0.key] == .near } }

    /// Sets the jobs that someone looks at now; `changed` are those whose interest is another than before.
    public mutating func attend(_ interests: [JobID: Interest], changed: Set<JobID>) {
        self.interests = interests
        attended = Set(interests.keys.lazy.filter { [queued] in queued[$0] != nil })
        for job in changed {
            guard var place = queued[job] else { continue }
            lastSerial &+= 1
            place.serial = lastSerial
            queued.set(place, for: job)
            insert(job, place)
        }
    }

    /// Returns an entry from its first job on that waits and hasn't been moved; nil if there is none.
    func withoutStale(_ entry: TransferEntry) -> (entry: TransferEntry, job: Queued)? {
        var entry = entry
        while true {
            if let job = queued[entry.job], job.serial == entry.serial { return (entry, job) }
            guard let rest = entry.rest else { return nil }
            entry = rest
        }
    }

    /// Lets jobs compete again of the hosts that have permits free.
    mutating func bringBackFreed() {
        guard !freed.isEmpty else { return }
        for host in freed { bringBack(host) }
        freed.removeAll(keepingCapacity: true)
    }

    /// Lets as many of a host's jobs of each kind compete again as the host has free permits.
    mutating func bringBack(_ host: Int32) {
        let free = room(at: host)
        for interest in Interest.order {
            var room = free
            while room > 0, let popped = hosts.all[host]?.aside.popFirst(interest, by: flows) {
                guard let (entry, place) = withoutStale(popped), let turn = flows.turn(of: place.flow) else {
                    entryCount -= 1
                    continue
                }
                if let rest = entry.rest {
                    hosts.all[host]?.aside.insert(rest, interest, at: turn)
                    entryCount += 1
                }
                ready.insert(entry.alone, interest, at: turn)
                room -= 1
            }
        }
    }

    /// True if jobs wait only because of ``holdEvictable(_:)``.
    public var hasHeld: Bool { flows.hasHeld }

    /// Holds the jobs whose documents may be removed to make room, or lets them go on.
    public mutating func holdEvictable(_ holds: Bool) {
        guard flows.holdsEvictable != holds else { return }
        flows.holdsEvictable = holds
        guard !holds else { return }
        ready.release()
        for host in hosts.all.keys {
            hosts.all[host]?.aside.release()
            // Permits may have been released meanwhile, and could bring nothing of theirs back.
            freed.insert(host)
        }
    }

    /// Lets jobs of a host that stepped aside for others compete again.
    mutating func stopYielding(_ host: Int32) {
        yielding[host] = nil
        bringBack(host)
    }
}
