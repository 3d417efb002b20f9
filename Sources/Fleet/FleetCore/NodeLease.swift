/// A node's own lease, by a clock that goes on while the machine sleeps.
///
/// The database counts from when a renewal arrived, and the node from before it was sent: so the node is
/// always the first to take the lease for over. All moments are times since the machine's start.
public struct NodeLease: Sendable {
    private let timing: FleetTiming
    /// Before the last renewal was sent that has been answered; nil while the node has no lease.
    private var renewedAt: Duration?
    /// Before the last renewal was sent that also asked how the fleet stands.
    private var lookedAt: Duration?
    /// Since when renewals have been answered without a long silence in between.
    private var heardSince: Duration?
    /// A reading of the database's clock, and when that was taken.
    private var clock: (time: Double, at: Duration)?

    /// A node without a lease.
    public init(_ timing: FleetTiming) { self.timing = timing }

    /// Notes that a renewal, sent at this moment, has been answered.
    ///
    /// - Parameter byClaim: Whether it was part of a claim, which says nothing of other nodes and of buckets.
    public mutating func renewed(sentAt moment: Duration, byClaim: Bool = false) {
        if isSilent(at: moment) { heardSince = moment }
        if !byClaim { lookedAt = max(lookedAt ?? moment, moment) }
        renewedAt = max(renewedAt ?? moment, moment)
    }

    /// Notes what the database's clock shows, in seconds.
    ///
    /// If it has gone otherwise than this machine's, which never steps, all leases may seem to be over: the others
    /// have time to renew theirs before anybody is declared dead.
    public mutating func database(_ time: Double, sentAt moment: Duration) {
        if let expected = databaseTime(at: moment), abs(time - expected) > timing.grace / .seconds(1) {
            heardSince = moment
        }
        clock = (time, moment)
    }

    /// Returns what the database's clock should show; nil if that isn't known.
    public func databaseTime(at now: Duration) -> Double? {
        clock.map { $0.time + (now - $0.at) / .seconds(1) }
    }

    /// Notes that the database knows another owner.
    public mutating func lost() { renewedAt = nil }

    private func isSilent(at now: Duration) -> Bool {
        guard let renewedAt else { return true }
        return now - renewedAt > timing.silence
    }

    /// Returns whether the node may declare dead whose lease is over.
    public func mayBury(at now: Duration) -> Bool {
        guard let heardSince, !isSilent(at: now) else { return false }
        return now - heardSince >= timing.settling
    }

    /// The standing of a node: what it may do.
    public enum Standing: Hashable, Sendable {
        /// Claim, and have its daemon work.
        case works
        /// Claim nothing, and have its daemon pause.
        case pauses
        /// Nothing: its daemon has stopped by itself.
        case stopped
    }

    /// Returns what the node may do at a moment.
    public func standing(at now: Duration) -> Standing {
        guard let renewedAt else { return .stopped }
        let age = now - renewedAt
        return age < timing.pauseAfter ? .works : age < timing.stopAfter ? .pauses : .stopped
    }

    /// Returns how long it is until others may take over, as the node sees it.
    public func left(at now: Duration) -> Duration {
        renewedAt.map { max(.zero, $0 + timing.lease - now) } ?? .zero
    }

    /// Returns for how many seconds from now the daemon's batches may be renewed; 0 for not at all.
    ///
    /// Whatever happens to the node then, the daemon has stopped before anybody else may begin.
    public func daemonLease(at now: Duration) -> Int {
        guard let renewedAt, standing(at: now) == .works else { return 0 }
        return max(0, Int((renewedAt + timing.stopAfter - now).components.seconds))
    }

    /// Returns whether it is time for the next renewal, also of what is known of the fleet: who claims often
    /// has a lease that never needs one.
    public func wantsRenewal(at now: Duration) -> Bool {
        guard let renewedAt, let lookedAt else { return true }
        return now - min(renewedAt, lookedAt) >= timing.heartbeat
    }
}
