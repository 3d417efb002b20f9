/// Decides when a source is polled again.
public enum PollPlan {
    /// The minimum time between two walks in seconds.
    public static let floor = 60.0
    /// The random variation of polls, as a fraction of their interval, so that sources added together
    /// don't come back together.
    public static let jitter = 0.1
    /// The seconds over which polls missed while the daemon wasn't running are spread.
    public static let spread = 60.0

    /// Returns when the next walk begins, in seconds of the steady clock; nil for never.
    ///
    /// - Parameters:
    ///   - every: the recipe's interval; nil for never.
    ///   - fresh: the seconds for which the first page is fresh.
    ///   - wanted: the seconds that the source itself asks for, by a feed's ttl or Retry-After.
    public static func next(
        every: Double?,
        fresh: Double = 0,
        wanted: Double = 0,
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) -> Double? {
        guard let every else { return nil }
        let interval = max(every, floor) * Double.random(in: 1 - jitter...1 + jitter, using: &generator)
        let bound = max(floor, min(fresh, Freshness.longest), min(wanted, Freshness.longest))
        // What a server asks for is a minimum, so it isn't varied downwards.
        return now
            + (interval >= bound ? interval : bound * Double.random(in: 1...1 + jitter, using: &generator))
    }

    /// Returns when to make a poll that was planned before the daemon started.
    ///
    /// Missed polls become one, and those of all sources are spread.
    public static func afterStart(
        planned: Double,
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) -> Double {
        planned > now ? planned : now + Double.random(in: 0...spread, using: &generator)
    }
}
