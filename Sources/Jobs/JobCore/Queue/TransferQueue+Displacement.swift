import JobModel
import Vocabulary

/// The jobs that have been asked to give their permits up, each for another.
struct Displacements: Sendable {
    /// The shortest time between two displacements, in seconds.
    static let interval = 0.25

    /// The job that each displaced job gives way to.
    private var beneficiaries: [JobID: JobID] = [:]
    private var last: Moment?

    /// The moment from which another job may be displaced.
    var mayBeginAt: Moment? { last?.adding(seconds: Self.interval) }

    /// Returns whether a job has been asked to give way already.
    func isGivingWay(_ job: JobID) -> Bool { beneficiaries[job] != nil }

    /// The number of jobs that give way.
    var count: Int { beneficiaries.count }

    /// The jobs for which others are giving way.
    var served: Set<JobID> { Set(beneficiaries.values) }

    /// Notes that a job gives way to another.
    mutating func begin(_ job: JobID, for other: JobID, now: Moment) {
        beneficiaries[job] = other
        last = now
    }

    /// Notes that a job no longer has a permit.
    mutating func ended(_ job: JobID) { beneficiaries[job] = nil }
}

/// The choice of jobs that give their permits up to those that someone looks at.
extension TransferQueue {
    /// Returns a job that is to give up its permit for one that someone looks at; nil if none has to now.
    ///
    /// What is in view takes the place of what nobody looks at: first of what was fetched because someone
    /// might have looked at it and hasn't, then of what would be fetched last. What is near only takes the
    /// place of the former. Nobody has to give way within a quarter of a second after another; if that is
    /// what keeps a job waiting, ``displacesAt(now:)`` says until when.
    ///
    /// Call it when ``next()`` has no permit to give; the transfer is then to be stopped, and its permit
    /// released. `canGiveWay` says whether a transfer can go on later from where it was.
    public mutating func displace(now: Moment, canGiveWay: (JobID) -> Bool) -> JobID? {
        guard !attended.isEmpty, now >= displacements.mayBeginAt ?? now else { return nil }
        let unseen = active.filter { interests[$0.key] == nil && !displacements.isGivingWay($0.key) }
        guard !unseen.isEmpty else { return nil }
        let candidates = unseen.sorted { lhs, rhs in
            (lhs.value.isPrefetch ? 0 : 1, lhs.value.priority, rhs.key)
                < (rhs.value.isPrefetch ? 0 : 1, rhs.value.priority, lhs.key)
        }
        let prefetchesMore = prefetchCount < limits.near
        for (job, interest) in waitingAttended() where interest == .visible || prefetchesMore {
            guard let place = queued[job], hosts.all[place.host] != nil else { continue }
            // Nobody's permit would be of use to it.
            guard mayBegin(at: place.host, now: now) else { continue }
            let isHostFull = !hasRoom(at: place.host) || !isWorthwhile(place.host)
            // Otherwise there is a permit for it.
            guard isHostFull || isFull else { continue }
            let found = candidates.first { id, candidate in
                (interest == .visible || candidate.isPrefetch)
                    && (!isHostFull || candidate.host == place.host) && canGiveWay(id)
            }
            guard let found else { continue }
            displacements.begin(found.key, for: job, now: now)
            return found.key
        }
        return nil
    }

    /// Returns the moment at which ``displace(now:canGiveWay:)`` should be called again, although nothing
    /// else has happened.
    public func displacesAt(now: Moment) -> Moment? {
        guard !attended.isEmpty, let next = displacements.mayBeginAt, next > now else { return nil }
        return next
    }

    /// The queued jobs that someone looks at and nobody gives way to yet, in their order.
    private func waitingAttended() -> [(job: JobID, interest: Interest)] {
        let served = displacements.served
        let waiting = attended.compactMap { job -> (job: JobID, interest: Interest, priority: Int64)? in
            guard !served.contains(job), let interest = interests[job], let place = queued[job] else {
                return nil
            }
            guard !flows.isHeld(place.flow) else { return nil }
            return (job, interest, -Int64(place.priority))
        }
        return waiting.sorted { ($0.interest, $0.priority, $0.job) < ($1.interest, $1.priority, $1.job) }
            .map { ($0.job, $0.interest) }
    }
}
