import JobModel
import Vocabulary

/// A token bucket that spaces the requests to one host: it holds what may be begun within one second, at least one
/// request, and is full at first.
///
/// It is kept as the moment at which the bucket will be full again, which is all that there is to know of one (the
/// generic cell rate algorithm, ITU-T I.371).
public struct PaceBucket: Hashable, Sendable {
    /// The pace that it keeps.
    public let pace: Pace
    /// The microseconds in which one more request may be begun.
    private let interval: Int64
    /// The microseconds by which requests may be ahead of that, one after the other.
    private let lead: Int64
    private var fullAt: SteadyTime?

    /// A full bucket.
    public init(_ pace: Pace) {
        self.pace = pace
        let (microseconds, overflow) = Int64(pace.seconds).multipliedReportingOverflow(by: 1_000_000)
        let whole = overflow ? Int64.max / 4 : microseconds
        // Rounded up, so that it is never faster.
        interval = max(1, whole / Int64(pace.requests) + (whole % Int64(pace.requests) == 0 ? 0 : 1))
        lead = max(0, 1_000_000 - interval)
    }

    /// Returns whether a request may be begun.
    public func mayBegin(now: Moment) -> Bool { opening.map { $0 <= now.steady } ?? true }

    /// Returns the moment at which a request may be begun; nil if one may be now.
    public func opensAt(now: Moment) -> Moment? {
        guard let opening, opening > now.steady else { return nil }
        return now.adding(seconds: opening.seconds(since: now.steady))
    }

    /// Notes that a request is begun, allowed or not: those that had to be made are paid for by those that follow.
    public mutating func spend(now: Moment) {
        let full = max(fullAt ?? now.steady, now.steady).microseconds
        let (later, overflow) = full.addingReportingOverflow(interval)
        fullAt = SteadyTime(microseconds: overflow ? .max : later)
    }

    /// Returns whether nothing has to be remembered.
    public func isFull(now: Moment) -> Bool { fullAt.map { $0 <= now.steady } ?? true }

    private var opening: SteadyTime? { fullAt.map { SteadyTime(microseconds: $0.microseconds - lead) } }
}
