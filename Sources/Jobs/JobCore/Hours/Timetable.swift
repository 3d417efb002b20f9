import JobModel

/// Rules for downloads by the time of the week.
///
/// It goes by what clocks on the wall show. An hour that they skip when summer time begins is over at its
/// beginning: what would have begun in it begins with the first minute that they show. In an hour that they
/// show twice, everything holds twice.
public struct Timetable: Hashable, Sendable {
    /// A time of the week from which on something else is allowed.
    public struct Entry: Hashable, Sendable {
        /// The minutes since Monday, 00:00.
        public var minute: Int
        /// The rule that applies until the next entry.
        public var rule: Hours.Rule

        /// Creates an entry; minutes beyond the week's end count from its beginning again.
        public init(minute: Int, rule: Hours.Rule) {
            self.minute = ((minute % Self.week) + Self.week) % Self.week
            self.rule = rule
        }

        fileprivate static let week = 7 * 24 * 60
    }

    /// The entries in the order of the week.
    public let entries: [Entry]

    private static let week: Int64 = 7 * 86_400

    /// Creates a timetable; without entries everything is always allowed.
    public init(_ entries: [Entry]) { self.entries = entries.sorted { $0.minute < $1.minute } }

    /// The lowest rate that it ever sets, in bytes per second.
    public var lowestRate: Int64? { entries.compactMap { Hours(rule: $0.rule).rate }.min() }

    /// True if the same rule applies at all times.
    public var isConstant: Bool { Set(entries.map(\.rule)).count < 2 }

    /// Returns what is allowed at a moment in a time zone, and until when.
    public func hours(at moment: Timestamp, in zone: ZoneRules) -> Hours {
        let now = moment.microseconds.floored(by: 1_000_000)
        let rule = rule(at: now, in: zone)
        guard !isConstant else { return Hours(rule: rule) }
        // Something changes with one of the entries, or because the zone's clocks are set. A week has each
        // entry once; clocks that are set meanwhile can repeat some.
        var time = now
        for _ in 0..<(3 * entries.count + 16) {
            time = min(nextEntry(after: time, in: zone), zone.nextChange(after: time) ?? .max)
            guard self.rule(at: time, in: zone) == rule else {
                return Hours(rule: rule, until: Timestamp(seconds: time))
            }
        }
        return Hours(rule: rule)
    }

    /// Returns what is allowed at a time in seconds since 1970.
    private func rule(at time: Int64, in zone: ZoneRules) -> Hours.Rule {
        let minute = Self.timeOfWeek(time, in: zone) / 60
        // The last entry before that, possibly of the week before.
        return (entries.last { $0.minute <= minute } ?? entries.last)?.rule ?? .unlimited
    }

    /// Returns when the next entry's time would come, if no clock were set until then.
    private func nextEntry(after time: Int64, in zone: ZoneRules) -> Int64 {
        let shown = Self.timeOfWeek(time, in: zone)
        let next = entries.lazy.map { Int64($0.minute) * 60 }.first { $0 > shown }
        let first = Int64(entries.first?.minute ?? 0) * 60
        return time + (next ?? first + Self.week) - shown
    }

    /// Returns the seconds since Monday, 00:00, that clocks show.
    private static func timeOfWeek(_ time: Int64, in zone: ZoneRules) -> Int64 {
        // 1970 began on a Thursday.
        let shown = time + zone.offset(at: time) + 3 * 86_400
        return shown - shown.floored(by: week) * week
    }
}

extension Timestamp {
    /// Creates a time from whole seconds since the Unix epoch.
    fileprivate init(seconds: Int64) {
        let (microseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        self.init(microseconds: overflow ? (seconds < 0 ? .min : .max) : microseconds)
    }
}

extension Timetable {
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// Returns the day and the minute that clocks show at a time, as in a timetable: `Mon 08:00`.
    public static func words(for time: Timestamp, in zone: ZoneRules) -> String {
        let minute = Int(timeOfWeek(time.microseconds.floored(by: 1_000_000), in: zone) / 60)
        let (hour, rest) = (minute / 60 % 24, minute % 60)
        func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(days[minute / 1440]) \(twoDigits(hour)):\(twoDigits(rest))"
    }
}
