import JobModel

/// Decides when an interrupted job is tried again, and when it is given up.
public struct RetryPolicy: Hashable, Sendable {
    /// The step after an interrupted attempt.
    public enum Decision: Hashable, Sendable {
        /// Try again, no earlier than this.
        case wait(until: Moment)
        /// Don't try again; the failure says how the last attempt ended.
        case giveUp(JobFailure)
    }

    /// The number of fruitless attempts in a row after which a job is given up.
    public var maximumTries: Int
    /// The seconds of failing after which a job is given up: the attempts themselves and the waits
    /// between them.
    ///
    /// Time in which nobody tried, for example while the machine was off, doesn't count.
    public var maximumAge: Double
    /// The longest wait that back-off alone results in, in seconds.
    public var maximumBackoff: Double

    /// The longest wait for any attempt, in seconds: as long as a server may ask for.
    public static let longestWait = AskedWait.honoured.upperBound

    /// Creates a policy; by default 20 attempts or 7 days, with back-off up to 10 minutes.
    public init(maximumTries: Int = 20, maximumAge: Double = 7 * 86_400, maximumBackoff: Double = 600) {
        self.maximumTries = maximumTries
        self.maximumAge = maximumAge
        self.maximumBackoff = maximumBackoff
    }

    /// Decides what follows an attempt that was cut off.
    ///
    /// The wait is random between 0 and `min(600 s, 1 s · 2^(n−1))`, "full jitter" (Brooker,
    /// "Exponential Backoff And Jitter", 2015), so that jobs that failed together don't come back
    /// together. It is never shorter than what the server asked for.
    ///
    /// - Parameters:
    ///   - failure: what the attempt ended with.
    ///   - tries: the counted attempts in a row, including this one. An attempt that brought something
    ///     new, or was made without a network, isn't counted; 0 waits like 1.
    ///   - struggled: the seconds that the row of failures has taken so far.
    ///   - retryAfter: the seconds that the server asked for, limited to between 1 s and 1 h.
    ///   - now: the current time.
    ///   - generator: the source of randomness.
    public func decide(
        after failure: JobFailure,
        tries: Int,
        struggled: Double,
        retryAfter: Double?,
        now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> Decision {
        if tries >= maximumTries {
            return .giveUp(JobFailure(failure.code, "\(failure.message) (\(tries) tries in a row)"))
        }
        if let end = end(after: failure, struggled: struggled) { return .giveUp(end) }
        // 2^30 s is beyond any maximum.
        let ceiling = min(maximumBackoff, (1...0x1p30).doubled(times: tries - 1))
        let backoff = Double.random(in: 0...ceiling, using: &generator)
        let floor = retryAfter.map(AskedWait.limited) ?? 0
        return .wait(until: now.adding(seconds: max(backoff, floor)))
    }

    /// Returns the failure with which a job ends after so many seconds of failing; nil if it may go on.
    func end(after failure: JobFailure, struggled: Double) -> JobFailure? {
        guard struggled >= maximumAge else { return nil }
        return JobFailure(failure.code, "\(failure.message) (for \(Self.words(seconds: maximumAge)))")
    }

    private static func words(seconds: Double) -> String {
        let units: [(Double, String)] = [(86_400, "day"), (3600, "hour"), (60, "minute")]
        for (length, name) in units where seconds >= length {
            let count = Int((seconds / length).rounded())
            return "\(count) \(name)\(count == 1 ? "" : "s")"
        }
        return "\(Int(seconds.rounded())) seconds"
    }
}
