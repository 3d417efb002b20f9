@testable import JobCore
@testable import JobModel

/// A file of a time zone (TZif).
enum ZoneTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard let rules = ZoneRules(file: bytes) else { return nil }
        let times: [Int64] = [
            -100_000_000_000, -2_208_988_800, -1, 0, 951_782_400, 1_700_000_000, 2_147_483_647, 4_294_967_296,
            100_000_000_000,
        ]
        for time in times {
            var time = time
            // A zone has two changes a year and hardly ever more.
            for _ in 0..<6 {
                let offset = rules.offset(at: time)
                try promise((-8 * 86_400...8 * 86_400).contains(offset), "clocks are \(offset) s ahead")
                guard let next = rules.nextChange(after: time) else { break }
                try promise(next > time, "clocks are set next at a time that is over")
                try promise(
                    rules.offset(at: next - 1) == offset,
                    "clocks are set before \(next), and nobody knew"
                )
                time = next
            }
        }
        try checkTimetable(in: rules)
        // What the last line calls the time, between angle brackets or not.
        let line = bytes.split(separator: 0x0A).last ?? []
        return String(decoding: line.drop { $0 == UInt8(ascii: "<") }, as: UTF8.self)
    }

    /// Checks that what a timetable says of a moment holds until it says something else.
    private static func checkTimetable(in rules: ZoneRules) throws(BrokenPromise) {
        let table = Timetable([
            Timetable.Entry(minute: 0, rule: .pause),
            Timetable.Entry(minute: 1440 + 480, rule: .atMost(1000)),
            Timetable.Entry(minute: 6 * 1440 + 30, rule: .unlimited),
        ])
        for seconds: Int64 in [0, 1_700_000_000, 1_711_846_800, 1_729_990_800, 4_000_000_000] {
            let now = Timestamp(microseconds: seconds * 1_000_000)
            let hours = table.hours(at: now, in: rules)
            guard let until = hours.until else { continue }
            try promise(until > now, "what holds now holds until it didn't")
            let before = Timestamp(microseconds: until.microseconds - 1)
            try promise(table.hours(at: before, in: rules).rule == hours.rule, "it didn't hold until then")
            try promise(table.hours(at: until, in: rules).rule != hours.rule, "the same holds then")
        }
    }
}
