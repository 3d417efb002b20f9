import JobModel

/// The rule for clock changes in every year to come, as the last line of a zone's file states it:
/// `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX.1-2024 §8.3, TZ, with the hours of RFC 9636 §3.3.2).
struct YearlyClockRule: Hashable, Sendable {
    /// The seconds by which clocks are ahead of UTC, and in summer.
    private let (standard, summer): (Int64, Int64)
    /// The begin and the end of summer time, by the clock before the change; nil if there is none.
    private let (begins, ends): (Day?, Day?)

    /// A day of the year, and seconds from its beginning.
    private struct Day: Hashable {
        enum Place: Hashable {
            /// The nth day of the week (0 for Sunday) of a month; the fifth is the last.
            case weekday(month: Int64, week: Int64, day: Int64)
            /// A day counted from 1, as if no year had a 29th of February.
            case withoutLeapDay(Int64)
            /// A day counted from 0.
            case number(Int64)
        }

        var place: Place
        var time: Int64

        /// Returns the seconds since 1970 at which it comes, as if clocks showed UTC.
        func time(in year: Int64) -> Int64 {
            let first = CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
            let day: Int64
            switch place {
            case .number(let number): day = first + number
            case .withoutLeapDay(let number):
                let march = CivilDate(year: year, month: 3, day: 1).daysSinceEpoch
                day = number < 60 ? first + number - 1 : march + number - 60
            case .weekday(let month, let week, let weekday):
                let start = CivilDate(year: year, month: month, day: 1).daysSinceEpoch
                let next = CivilDate(
                    year: month == 12 ? year + 1 : year,
                    month: month == 12 ? 1 : month + 1,
                    day: 1
                ).daysSinceEpoch
                // Day 0 was a Thursday.
                let offset = (weekday - (start + 4) % 7 + 14) % 7
                let wanted = start + offset + (week - 1) * 7
                day = wanted < next ? wanted : wanted - 7
            }
            return day * 86_400 + time
        }
    }

    /// Reads a rule; nil for anything else.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard rest.skipName(), let offset = rest.clock(hours: 24) else { return nil }
        standard = -offset
        guard !rest.isEmpty else {
            (summer, begins, ends) = (-offset, nil, nil)
            return
        }
        guard rest.skipName() else { return nil }
        if rest.first == UInt8(ascii: ",") {
            summer = -offset + 3600
        } else {
            guard let other = rest.clock(hours: 24) else { return nil }
            summer = -other
        }
        guard let first = Self.day(&rest), let second = Self.day(&rest), rest.isEmpty else { return nil }
        (begins, ends) = (first, second)
    }

    private static func day(_ rest: inout ArraySlice<UInt8>) -> Day? {
        guard rest.skip(",") else { return nil }
        var place: Day.Place?
        if rest.skip("M") {
            if let month = rest.number(in: 1...12), rest.skip("."), let week = rest.number(in: 1...5),
                rest.skip("."), let day = rest.number(in: 0...6)
            {
                place = .weekday(month: month, week: week, day: day)
            }
        } else if rest.skip("J") {
            place = rest.number(in: 1...365).map(Day.Place.withoutLeapDay)
        } else {
            place = rest.number(in: 0...365).map(Day.Place.number)
        }
        guard let place else { return nil }
        // Two in the morning, unless it says otherwise.
        guard rest.skip("/") else { return Day(place: place, time: 7200) }
        return rest.clock(hours: 167).map { Day(place: place, time: $0) }
    }

    func offset(at time: Int64) -> Int64 {
        changes(around: time).last { $0.time <= time }?.offset ?? standard
    }

    func nextChange(after time: Int64) -> Int64? { changes(around: time).first { $0.time > time }?.time }

    /// Returns the changes of the year of a time, and of those around it, ascending.
    ///
    /// A year's changes can come up to eight days before or after it.
    private func changes(around time: Int64) -> [(time: Int64, offset: Int64)] {
        guard let begins, let ends else { return [] }
        let year = CivilDate(daysSinceEpoch: time.floored(by: 86_400)).year
        return (year - 2...year + 1).flatMap { year in
            let begin = (time: begins.time(in: year) - standard, offset: summer)
            let end = (time: ends.time(in: year) - summer, offset: standard)
            // Where summer ends as the next one begins, or later, it goes on.
            let goesOn = begin.time < end.time && begins.time(in: year + 1) - standard <= end.time
            return goesOn ? [begin] : [begin, end]
        }
        .sorted { ($0.time, $0.offset == summer ? 1 : 0) < ($1.time, $1.offset == summer ? 1 : 0) }
    }
}

extension ArraySlice<UInt8> {
    /// Consumes the name of a time: at least three letters, or anything between angle brackets.
    fileprivate mutating func skipName() -> Bool {
        if skip("<") {
            guard let end = firstIndex(of: UInt8(ascii: ">")) else { return false }
            self = self[(end + 1)...]
            return true
        }
        let letters = prefix { (65...90).contains($0 & 0xDF) }
        self = self[letters.endIndex...]
        return letters.count >= 3
    }

    /// Consumes a number of at most three digits.
    fileprivate mutating func number(in range: ClosedRange<Int64>) -> Int64? {
        let digits = prefix(3).prefix { (48...57).contains($0) }
        guard !digits.isEmpty else { return nil }
        self = self[digits.endIndex...]
        let number = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) }
        return range.contains(number) ? number : nil
    }

    /// Consumes `[+-]hh[:mm[:ss]]`, in seconds.
    fileprivate mutating func clock(hours limit: Int64) -> Int64? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard var seconds = number(in: 0...limit).map({ $0 * 3600 }) else { return nil }
        for unit: Int64 in [60, 1] where skip(":") {
            guard let part = number(in: 0...59) else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }
}
