/// Knows whose batches somebody has to renew, and which of them have lapsed.
///
/// Whoever posts a batch with a lease is the only one who may have its servers asked, for as long as he
/// renews it: after that, another machine may be at work on them. Leases run by the steady clock, which goes
/// on while the machine sleeps.
///
/// How long each lasts is stored, and when it ends is not. After a start all count as lapsed: nobody knows
/// whether whoever posted them is still there.
public struct BatchLeases: Sendable {
    private struct Lease {
        /// How long each renewal is good for, in seconds.
        var seconds: Int
        /// When it lapses; nil if it has.
        var until: Moment?
    }

    private var leases: [BatchID: Lease] = [:]

    /// Creates no leases.
    public init() {}

    /// When the next lease lapses; nil if none is running.
    public var lapsesAt: Moment? { leases.values.lazy.compactMap(\.until).min() }

    /// Whether nothing of the batch may be asked of a server.
    public func isLapsed(_ batch: BatchID) -> Bool {
        guard !leases.isEmpty, let lease = leases[batch] else { return false }
        return lease.until == nil
    }

    /// Takes a batch that has just been accepted.
    public mutating func grant(_ batch: BatchID, seconds: Int, now: Moment) {
        leases[batch] = Lease(seconds: seconds, until: now.adding(seconds: Double(seconds)))
    }

    /// Takes a batch from an earlier run, whose lease has lapsed.
    public mutating func takeUp(_ batch: BatchID, seconds: Int) {
        leases[batch] = Lease(seconds: seconds, until: nil)
    }

    /// Forgets a batch, which never was or is no more.
    public mutating func forget(_ batch: BatchID) { leases[batch] = nil }

    /// What a renewal comes to.
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
            leases[batch]?.until = nil
            return lease.until == nil ? .renewed : .givenUp
        }
        leases[batch]?.until = now.adding(seconds: Double(seconds))
        // It may be over without anybody having noticed yet.
        return lease.until == nil ? .revived : .renewed
    }

    /// Ends the leases whose time is over, and returns their batches in ascending order.
    public mutating func lapse(now: Moment) -> [BatchID] {
        var lapsed: [BatchID] = []
        for (batch, lease) in leases {
            guard let until = lease.until, until <= now else { continue }
            lapsed.append(batch)
        }
        for batch in lapsed { leases[batch]?.until = nil }
        return lapsed.sorted { $0.rawValue < $1.rawValue }
    }
}
