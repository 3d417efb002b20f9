import JobModel
import Vocabulary

/// Knows whose batches somebody has to renew, and which of them have lapsed.
///
/// Whoever posts a batch with a lease is the only one who may have its servers asked, for as long as he
/// renews it: after that, another machine may be at work on them. Leases run by the steady clock, which goes
/// on while the machine sleeps.
///
/// How long each lasts is stored, and when it ends is not. After a start all count as lapsed: nobody knows
/// whether whoever posted them is still there. Of batches whose jobs have all ended, nothing is known here
/// until somebody asks for one of them again, since there may be very many.
public struct BatchLeases: Sendable {
    private struct Lease {
        /// The length of each renewal, in seconds.
        var seconds: Int
        /// The moment at which it lapses; nil if it has.
        var until: Moment?
        /// The moment of the next look at it, at or before `until`; nil if it has lapsed.
        var looksAt: Moment?
    }

    /// A time at which a lease may lapse, unless it is to be looked at at another one.
    private struct Look: Comparable {
        var at: Moment
        var batch: BatchID

        static func < (lhs: Look, rhs: Look) -> Bool {
            (lhs.at, lhs.batch.rawValue) < (rhs.at, rhs.batch.rawValue)
        }
    }

    private var leases: [BatchID: Lease] = [:]
    /// The first of them is when the first lease lapses.
    private var looks = PriorityHeap<Look>()

    /// Creates no leases.
    public init() {}

    /// The moment at which the next lease lapses; nil if none is running.
    public var lapsesAt: Moment? { looks.first?.at }

    /// The number of leases that are known.
    public var count: Int { leases.count }

    /// Returns whether the lease of a batch is known.
    public func knows(_ batch: BatchID) -> Bool { leases[batch] != nil }

    /// Returns whether the lease of a batch has lapsed, so that no server is asked for anything of it.
    public func isLapsed(_ batch: BatchID) -> Bool {
        guard !leases.isEmpty, let lease = leases[batch] else { return false }
        return lease.until == nil
    }

    /// Adds the lease of a batch that has just been accepted.
    public mutating func grant(_ batch: BatchID, seconds: Int, now: Moment) {
        leases[batch] = Lease(seconds: seconds)
        run(batch, until: now.adding(seconds: Double(seconds)))
    }

    /// Adds the lapsed lease of a batch from an earlier run.
    public mutating func takeUp(_ batch: BatchID, seconds: Int) { leases[batch] = Lease(seconds: seconds) }

    /// Forgets a batch, which never was or is no more, or whose jobs have all ended.
    public mutating func forget(_ batch: BatchID) {
        leases[batch] = nil
        settle()
    }

    /// The result of a renewal.
    public enum Renewal: Hashable, Sendable {
        /// The batch has no lease.
        case noLease
        /// The lease runs for as long again.
        case renewed
        /// The lease had lapsed and runs again.
        case revived
        /// The lease was given up, and has lapsed with that.
        case givenUp
    }

    /// Renews a lease for this many seconds from now, for as long as it was granted if that is nil, and not
    /// at all if it is 0.
    public mutating func renew(_ batch: BatchID, seconds: Int?, now: Moment) -> Renewal {
        guard let lease = leases[batch] else { return .noLease }
        let seconds = seconds ?? lease.seconds
        guard seconds > 0 else {
            run(batch, until: nil)
            return lease.until == nil ? .renewed : .givenUp
        }
        run(batch, until: now.adding(seconds: Double(seconds)))
        // It may be over without anybody having noticed yet.
        return lease.until == nil ? .revived : .renewed
    }

    /// Ends the leases whose time is over, and returns their batches in ascending order.
    public mutating func lapse(now: Moment) -> [BatchID] {
        var lapsed: [BatchID] = []
        while let look = looks.first, look.at <= now {
            lapsed.append(look.batch)
            run(look.batch, until: nil)
        }
        return lapsed.sorted { $0.rawValue < $1.rawValue }
    }

    // MARK: - Looks

    private mutating func run(_ batch: BatchID, until: Moment?) {
        guard var lease = leases[batch] else { return }
        lease.until = until
        // A later time is found out at the earlier one, so that renewals don't add up.
        if let until, lease.looksAt.map({ until < $0 }) ?? true {
            lease.looksAt = until
            looks.insert(Look(at: until, batch: batch))
        }
        leases[batch] = lease
        settle()
        if looks.count > 2 * leases.count + 16 { rebuild() }
    }

    /// Postpones looks to their leases' lapses, until the first look is at a lapse.
    private mutating func settle() {
        while let look = looks.first {
            let lease = leases[look.batch]
            if let lease, lease.looksAt == look.at, lease.until == look.at { return }
            _ = looks.popFirst()
            // The lease is forgotten, or was shortened and is looked at earlier.
            guard var lease, lease.looksAt == look.at else { continue }
            lease.looksAt = lease.until
            leases[look.batch] = lease
            if let until = lease.until { looks.insert(Look(at: until, batch: look.batch)) }
        }
    }

    /// Leaves each lease with a single look.
    private mutating func rebuild() {
        var all: [Look] = []
        for (batch, lease) in leases {
            leases[batch]?.looksAt = lease.until
            if let until = lease.until { all.append(Look(at: until, batch: batch)) }
        }
        looks = PriorityHeap(all)
    }
}
