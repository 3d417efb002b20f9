import JobModel

/// Keeps what a timetable says now, and decides when to look again.
///
/// Waiting goes by the steady clock, while the timetable goes by the wall clock, which anybody may set, and
/// by a time zone that may become another. So it is looked at every half minute, whatever it said, and at
/// once when the clocks are found to disagree.
public struct HoursClock: Sendable {
    /// The longest time in seconds after which to look again.
    public static let interval = 30.0

    /// The timetable's rule when it was last looked at.
    public private(set) var hours = Hours(rule: .unlimited)
    private var looked: Moment?
    private var next: Moment?

    /// Creates a clock for which everything is allowed until it is looked at.
    public init() {}

    /// The moment at which to look again; nil if there is no timetable.
    public var looksAt: Moment? { next }

    /// Looks at the timetable if it is time to.
    public mutating func look(at timetable: Timetable, in zone: () -> ZoneRules, now: Moment) {
        guard !timetable.entries.isEmpty else { return self = HoursClock() }
        guard isDue(now: now) else { return }
        hours = timetable.hours(at: now.wall, in: zone())
        looked = now
        let wait = hours.until.map { max(0.001, $0.seconds(since: now.wall)) } ?? Self.interval
        next = now.adding(seconds: min(wait, Self.interval))
    }

    /// Forgets what the timetable said, because it may be another now.
    public mutating func forget() { (looked, next) = (nil, nil) }

    private func isDue(now: Moment) -> Bool {
        guard let looked, let next, now < next else { return true }
        // Somebody has set the wall clock.
        return abs(now.wall.seconds(since: looked.wall) - now.seconds(since: looked)) > 1
    }
}
