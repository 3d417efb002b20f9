/// What becomes of a source after a page couldn't be read.
///
/// Its cursor stays.
public enum FailurePlan {
    /// What follows.
    public enum Outcome: Hashable, Sendable {
        /// The same page is asked for again, no earlier than this.
        case wait(until: Double)
        /// Somebody has to mend something; until then it is tried again once a day.
        case failed(tryAgainAt: Double)
        /// The source has ended; only a person begins it again.
        case ended
    }

    /// The first wait and the longest, in seconds.
    public static let waits: ClosedRange<Double> = 60...6 * 3600
    /// How long a source that has failed rests, in seconds.
    public static let rest = 86_400.0
    /// How long a missing page may be missing, in seconds.
    public static let patience = 3 * 86_400.0
    /// After how many deaths of readers in a row a page counts as one that can't be read.
    public static let mostCrashes = 5
    /// The longest that a server's Retry-After is obeyed, in seconds.
    public static let longestRetryAfter = 86_400.0

    /// Decides after a failure.
    ///
    /// - Parameters:
    ///   - failures: failures in a row, this one included.
    ///   - since: when the first of them happened.
    ///   - retryAfter: seconds that the server asked for.
    ///   - now: the present moment, in seconds of the steady clock.
    public static func outcome(
        _ failure: SourceFailure,
        failures: Int,
        since: Double,
        retryAfter: Double? = nil,
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) -> Outcome {
        switch (failure.code, failure.status ?? 0) {
        case (_, 410): return .ended
        case (_, 404) where now - since >= patience: return .failed(tryAgainAt: now + rest)
        case (_, 404), (_, 408), (_, 425), (_, 429), (_, 500...599), (.connection, _): break
        case (.readerCrashed, _), (.readerTimedOut, _):
            if failures >= mostCrashes { return .failed(tryAgainAt: now + rest) }
        case (.unexpectedType, _), (.unexpectedShape, _), (.unexpectedStatus, _), (.unauthorized, _),
            (.tooLarge, _),
            (.noSecret, _), (.noProgress, _):
            return .failed(tryAgainAt: now + rest)
        }
        let asked = min(max(0, retryAfter ?? 0), longestRetryAfter)
        return .wait(until: now + max(backoff(failures, using: &generator), asked))
    }

    /// A minute, doubled to six hours, and a tenth more or less.
    static func backoff(_ failures: Int, using generator: inout some RandomNumberGenerator) -> Double {
        let doubled = waits.lowerBound * Double(1 << min(max(failures, 1) - 1, 20))
        return min(doubled, waits.upperBound)
            * Double.random(in: 1 - PollPlan.jitter...1 + PollPlan.jitter, using: &generator)
    }
}
