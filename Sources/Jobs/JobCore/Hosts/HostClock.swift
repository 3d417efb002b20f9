import JobModel
import Vocabulary

/// The times at which requests to one host may be begun: as it asks us, and as we ask ourselves.
public struct HostClock: Hashable, Sendable {
    /// The patience with what the host asks.
    public var patience = HostPatience()
    /// The bucket for its pace; nil for a host without one.
    public private(set) var bucket: PaceBucket?

    /// A clock of a host that was never asked anything.
    public init(pace: Pace? = nil) { bucket = pace.map(PaceBucket.init) }

    /// Changes the pace; what a slower or faster one owes is forgotten.
    public mutating func setPace(_ pace: Pace?) {
        if bucket?.pace != pace { bucket = pace.map(PaceBucket.init) }
    }

    /// Returns whether a request may be begun while so many are under way.
    public func mayBegin(beside active: Int, now: Moment) -> Bool {
        patience.mayBegin(beside: active, now: now) && bucket?.mayBegin(now: now) ?? true
    }

    /// Returns the moment that has to come before a request may be begun beside so many; nil if no time has to pass,
    /// or if that alone doesn't help.
    public func opensAt(beside active: Int, now: Moment) -> Moment? {
        [patience.opensAt(beside: active, now: now), bucket?.opensAt(now: now)].compactMap(\.self).max()
    }

    /// Notes that a job's transfer is begun.
    public mutating func begin(_ job: JobID, now: Moment) {
        patience.begin(job, now: now)
        bucket?.spend(now: now)
    }

    /// Notes that a transfer which is under way asks once more, as for a redirect or a segment.
    public mutating func spend(now: Moment) { bucket?.spend(now: now) }

    /// True if it is as it was made.
    var isUnused: Bool { patience.isAtRest && (bucket.map { $0 == PaceBucket($0.pace) } ?? true) }

    /// Returns whether nothing that it says of a host without requests matters any more.
    public func isForgettable(now: Moment) -> Bool {
        patience.isForgettable(now: now) && bucket?.isFull(now: now) ?? true
    }
}
