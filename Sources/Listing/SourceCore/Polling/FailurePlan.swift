/// Decides what happens to a source when a page could not be read.
///
/// The source's cursor stays where it is.
public enum FailurePlan {
    /// The consequence for the source.
    public enum Outcome: Hashable, Sendable {
        /// The same page is requested again, no earlier than this.
        case wait(until: Double)
        /// Someone has to fix something; until then it is tried again once a day.
        case failed(tryAgainAt: Double)
        /// The page is gone; if it is the source's first, only a person can start the source again.
        case ended
    }

    /// The shortest and the longest wait in seconds.
    public static let waits: ClosedRange<Double> = 60...6 * 3600
    /// The interval between attempts of a failed source in seconds.
    public static let rest = 86_400.0
    /// The time for which a page may be missing before the source fails, in seconds.
    public static let patience = 3 * 86_400.0
    /// The number of crashes of readers in a row after which a page counts as unreadable.
    public static let mostCrashes = 5
    /// The seconds after which a page is read again whose reader crashed for the first time: somebody may
    /// have killed it, or the machine was short of memory.
    public static let afterFirstCrash = 1.0
    /// The longest Retry-After of a server that is obeyed, in seconds.
    public static let longestRetryAfter = 86_400.0

    /// Decides what follows a failure.
    ///
    /// - Parameters:
    ///   - failures: the number of failures in a row, including this one.
    ///   - since: when the first of them happened.
    ///   - retryAfter: the seconds that the server asked for.
    ///   - now: the current time in seconds of the steady clock.
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
        case (_, 404), (_, 408), (_, 425), (_, 429), (_, 500...599), (.connection, _), (.rateLimited, _):
            break
        case (.readerCrashed, _) where failures == 1: return .wait(until: now + afterFirstCrash)
        case (.readerCrashed, _), (.readerTimedOut, _):
            if failures >= mostCrashes { return .failed(tryAgainAt: now + rest) }
        case (.unexpectedType, _), (.unexpectedShape, _), (.unexpectedStatus, _), (.unauthorized, _),
            (.tooLarge, _), (.tooMuchMemory, _),
            (.noSecret, _), (.noProgress, _):
            return .failed(tryAgainAt: now + rest)
        }
        let asked = min(max(0, retryAfter ?? 0), longestRetryAfter)
        return .wait(until: now + max(backoff(failures, using: &generator), asked))
    }

    /// Returns the back-off: a minute, doubling up to six hours, randomly varied by a tenth.
    static func backoff(_ failures: Int, using generator: inout some RandomNumberGenerator) -> Double {
        waits.doubled(times: failures - 1)
            * Double.random(in: 1 - PollPlan.jitter...1 + PollPlan.jitter, using: &generator)
    }
}
