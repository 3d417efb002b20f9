/// When a try that was cut off is made again: exponential back-off with full jitter.
public struct RetryPolicy: Hashable, Sendable {
    /// What to do about a try that was cut off.
    public enum Decision: Hashable, Sendable {
        /// Try again then.
        case wait(until: Timestamp)
        /// Enough; carries why, as the end of a sentence.
        case giveUp(String)
    }

    /// Tries in a row that bring nothing new before a job is given up.
    public var maximumTries = 20
    /// Seconds without anything new before a job is given up: 7 days.
    public var maximumSeconds: Double = 7 * 24 * 3600
    /// The upper bound of the first wait, in seconds; it doubles from try to try.
    public var base: Double = 1
    /// The upper bound of every wait, in seconds.
    public var cap: Double = 600

    /// The policy with its defaults.
    public init() {}

    /// Decides after the `tries`-th try in a row that brought nothing new,
    /// the first of which ended at `since`.
    public func decide(
        tries: Int, since: Timestamp, retryAfter: Double?, now: Timestamp,
        using generator: inout some RandomNumberGenerator
    ) -> Decision {
        guard tries < maximumTries else { return .giveUp("given up after \(tries) tries") }
        guard now.seconds(since: since) < maximumSeconds else {
            return .giveUp("given up after \(Int(maximumSeconds / 86400)) days")
        }
        // Full jitter: random(0, min(cap, base · 2^(n−1))).
        let bound = tries > 30 ? cap : min(cap, base * Double(1 << max(0, tries - 1)))
        var seconds = Double.random(in: 0...bound, using: &generator)
        if let retryAfter { seconds = max(seconds, min(max(retryAfter, 1), 3600)) }
        return .wait(until: now.adding(seconds: seconds))
    }
}
