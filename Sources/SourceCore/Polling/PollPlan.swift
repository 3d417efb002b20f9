/// When a source is looked at again.
public enum PollPlan {
    /// The shortest time between two walks, in seconds.
    public static let floor = 60.0
    /// How far polls are moved at random, as a part of their interval: sources that were added together
    /// don't come back together.
    public static let jitter = 0.1
    /// Over how many seconds the polls are spread that were missed while nothing ran.
    public static let spread = 60.0

    /// When the walk after this one begins, in seconds of the steady clock; nil for never.
    ///
    /// - Parameters:
    ///   - every: the recipe's interval; nil for never.
    ///   - fresh: seconds for which the first page is fresh.
    ///   - wanted: seconds that the source itself asks for: a feed's ttl, or Retry-After.
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
        // What a server asks for is a bound, not a middle.
        return now
            + (interval >= bound ? interval : bound * Double.random(in: 1...1 + jitter, using: &generator))
    }

    /// When a poll takes place that was planned before the daemon started: polls that were missed become
    /// one, and those of all sources are spread.
    public static func afterStart(
        planned: Double,
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) -> Double {
        planned > now ? planned : now + Double.random(in: 0...spread, using: &generator)
    }
}
