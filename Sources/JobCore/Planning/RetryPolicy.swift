/// Decides when a job that was interrupted is tried again, and when it is given up.
public struct RetryPolicy: Hashable, Sendable {
    /// The consequence of an interrupted try.
    public enum Decision: Hashable, Sendable {
        /// Try again, no earlier than this.
        case wait(until: Moment)
        /// Don't try again; the failure says what the last try ended with.
        case giveUp(JobFailure)
    }

    /// Tries in a row without anything new, after which a job is given up.
    public var maximumTries: Int
    /// Seconds of a row of failures after which a job is given up: those that tries took, and those between.
    ///
    /// Time in which nobody tried, with the machine off say, is none of it.
    public var maximumAge: Double
    /// The longest wait that back-off alone comes to, in seconds.
    public var maximumBackoff: Double

    /// The longest that any job waits for its next try, in seconds: as long as a server may ask for.
    public static let longestWait = RetryAfter.bounds.upperBound

    /// A policy: 20 tries or 7 days, and back-off up to 10 minutes, unless told otherwise.
    public init(maximumTries: Int = 20, maximumAge: Double = 7 * 86_400, maximumBackoff: Double = 600) {
        self.maximumTries = maximumTries
        self.maximumAge = maximumAge
        self.maximumBackoff = maximumBackoff
    }

    /// Decides after a try that was cut off.
    ///
    /// The wait is random between nothing and `min(600 s, 1 s · 2^(n−1))`, "full
    /// jitter" (Brooker, "Exponential Backoff And Jitter", 2015), so that jobs
    /// which failed together don't come back together. What the server asked
    /// for is a floor under it.
    ///
    /// - Parameters:
    ///   - failure: what the try ended with.
    ///   - tries: counted tries in a row, this one included. A try that brought
    ///     something new, or was made without a network, isn't counted; 0 waits like 1.
    ///   - struggled: seconds that the row of failures has taken so far.
    ///   - retryAfter: seconds that the server asked for, already within 1 s to 1 h.
    ///   - now: the moment.
    ///   - generator: where the randomness comes from.
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
        if struggled >= maximumAge {
            return .giveUp(
                JobFailure(failure.code, "\(failure.message) (for \(Self.words(seconds: maximumAge)))")
            )
        }
        // Past 2^30 s every maximum is long reached.
        let ceiling = min(maximumBackoff, Double(1 << min(max(tries, 1) - 1, 30)))
        let backoff = Double.random(in: 0...ceiling, using: &generator)
        let floor = retryAfter.map {
            min(max($0, RetryAfter.bounds.lowerBound), RetryAfter.bounds.upperBound)
        }
        return .wait(until: now.adding(seconds: max(backoff, floor ?? 0)))
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
