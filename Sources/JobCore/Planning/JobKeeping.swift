import JobModel

/// Decides which ended jobs are old enough to be forgotten, on a clock that may be set.
///
/// Ages are told by the wall clock, for nothing else lasts over reboots. Where it is set forward, nothing is
/// forgotten for a day, or for the time that jobs are kept if that is shorter: a wrong clock can be put right
/// meanwhile.
public struct JobKeeping: Sendable {
    /// The seconds for which ended jobs are kept.
    public let time: Double
    private var last: Moment?
    /// The steady clock's seconds until which nothing is forgotten.
    private var quietUntil = -Double.infinity

    /// The seconds by which a clock may be set forward without being doubted: more than a correction, and
    /// less than what makes a difference to what is kept for a minute or longer.
    private static let slack = 30.0
    private static let longestQuiet = 86_400.0

    /// Keeps ended jobs for so many seconds.
    public init(time: Double) { self.time = time }

    /// The seconds until it is asked again: jobs are forgotten at most a twentieth of their time late, or an
    /// hour, whichever is less, and in any case a minute.
    public var interval: Double { min(max(time / 20, 60), 3600) }

    /// Returns the time such that all jobs that ended before it are to be forgotten now; nil if none are.
    public mutating func bound(now: Moment) -> Timestamp? {
        let steady = Double(now.steady.microseconds) / 1_000_000
        if let last {
            let passed = Double(now.steady.microseconds - last.steady.microseconds)
            let told = Double(now.wall.microseconds) - Double(last.wall.microseconds)
            if told - passed > Self.slack * 1_000_000 {
                quietUntil = steady + min(time, Self.longestQuiet)
            }
        }
        last = now
        guard steady >= quietUntil else { return nil }
        return now.wall.adding(seconds: -time)
    }
}
