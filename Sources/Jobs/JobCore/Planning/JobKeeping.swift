import JobModel

/// Decides which ended jobs are old enough to be forgotten, on a clock that may be set.
///
/// Ages are told by the wall clock, for nothing else lasts over reboots. Where it is set forward, nothing is
/// forgotten for a day, or for the time that jobs are kept if that is shorter: a wrong clock can be put right
/// meanwhile. A clock that is far ahead at a start may be wrong, too, or the machine was off for long: then nothing is
/// forgotten until something else says that it is right. A wrong clock may be believed all the same, so only a share of
/// the jobs is forgotten in a day of one run of the daemon.
public struct JobKeeping: Sendable {
    /// The seconds for which ended jobs are kept.
    public let time: Double
    private var last: Moment?
    /// The steady clock's seconds until which nothing is forgotten.
    private var quietUntil = -Double.infinity
    /// The beginning of the day that forgotten jobs are counted in, and their number.
    private var dayBegan: Moment?
    private var forgottenInDay = 0
    /// The moment from which on the clock is doubted; nil while it is believed.
    public private(set) var doubtedSince: Moment?

    /// The seconds by which a clock may be set forward without being doubted: more than a correction, and
    /// less than what makes a difference to what is kept for a minute or longer.
    private static let slack = 30.0
    private static let longestQuiet = 86_400.0

    /// The seconds from the last time that is known to the start of the daemon from which on the clock is doubted.
    private static let longestAway = 86_400.0

    /// Keeps ended jobs for so many seconds, with a clock that is doubted from a moment on, if it is.
    public init(time: Double, doubtedSince: Moment? = nil) {
        self.time = time
        self.doubtedSince = doubtedSince
    }

    /// Returns whether a clock that shows this at a start has to be doubted, if it showed `last` in the last run.
    public static func doubts(_ now: Timestamp, after last: Timestamp?) -> Bool {
        last.map { now.seconds(since: $0) > longestAway } ?? false
    }

    /// The seconds until it is asked again: jobs are forgotten at most a twentieth of their time late, or an
    /// hour, whichever is less, and in any case a minute.
    public var interval: Double { min(max(time / 20, 60), 3600) }

    /// Returns the time such that all jobs that ended before it are to be forgotten now; nil if none are.
    ///
    /// A clock that is doubted is believed once it is synchronized, or once the daemon has run for as long as jobs are
    /// kept: what had ended before is old enough then, whatever the clock says.
    public mutating func bound(now: Moment, isSynchronized: Bool = false) -> Timestamp? {
        let steady = Double(now.steady.microseconds) / 1_000_000
        if let last {
            let passed = Double(now.steady.microseconds - last.steady.microseconds)
            let told = Double(now.wall.microseconds) - Double(last.wall.microseconds)
            if told - passed > Self.slack * 1_000_000 {
                quietUntil = steady + min(time, Self.longestQuiet)
            }
        }
        last = now
        if let since = doubtedSince, isSynchronized || now.seconds(since: since) >= time {
            doubtedSince = nil
        }
        guard steady >= quietUntil, doubtedSince == nil else { return nil }
        return now.wall.adding(seconds: -time)
    }

    /// The share of all ended jobs that may be forgotten in a day: a tenth, or twice what grows old enough in a day if
    /// that is more.
    private var dailyShare: Double { max(0.1, 2 * Self.day / time) }
    private static let day = 86_400.0

    /// Returns how many jobs may be forgotten now, of so many that have ended, since a clock that is wrong may be
    /// believed all the same.
    public mutating func allowance(ofEnded count: Int, now: Moment) -> Int {
        guard dailyShare < 1 else { return .max }
        if dayBegan.map({ now.seconds(since: $0) >= Self.day }) ?? true {
            (dayBegan, forgottenInDay) = (now, 0)
        }
        let most = (dailyShare * Double(count + forgottenInDay)).rounded(.up)
        return max(0, Int(most) - forgottenInDay)
    }

    /// Notes that so many jobs were forgotten.
    public mutating func forgot(_ count: Int) {
        // Where all may go, the count is of no use, and may be greater than any number.
        if dailyShare < 1 { forgottenInDay += count }
    }
}
