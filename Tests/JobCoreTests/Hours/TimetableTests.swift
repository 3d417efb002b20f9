import Testing

@testable import JobCore
@testable import JobModel

@Suite("What a timetable allows, and until when")
struct TimetableTests {
    /// `Mon-Fri 08:00 1M; 18:00 off; Sat,Sun 00:00 pause`.
    private static let week = Timetable(
        (0..<5).flatMap { day in
            [
                Timetable.Entry(minute: day * 1440 + 8 * 60, rule: .atMost(1 << 20)),
                Timetable.Entry(minute: day * 1440 + 18 * 60, rule: .unlimited),
            ]
        } + [5, 6].map { Timetable.Entry(minute: $0 * 1440, rule: .pause) }
    )

    private static func zone(_ rule: String) throws -> ZoneRules {
        let yearly: YearlyClockRule = try #require(YearlyClockRule(rule))
        return ZoneRules(changes: [], offsets: [0], yearly: yearly)
    }

    private static func time(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    private static let vienna = "CET-1CEST,M3.5.0,M10.5.0/3"

    /// A moment, what is allowed then, and until when.
    private typealias Row = (moment: String, rule: Hours.Rule, until: String)

    @Test("In an ordinary week, by the clocks of the zone")
    func ordinaryWeek() throws {
        // 2026-11-23 is a Monday.
        let rows: [Row] = [
            ("2026-11-23T00:00:00+01:00", .pause, "2026-11-23T08:00:00+01:00"),
            ("2026-11-23T07:59:59+01:00", .pause, "2026-11-23T08:00:00+01:00"),
            ("2026-11-23T08:00:00+01:00", .atMost(1 << 20), "2026-11-23T18:00:00+01:00"),
            ("2026-11-23T18:00:00+01:00", .unlimited, "2026-11-24T08:00:00+01:00"),
            ("2026-11-27T18:00:00+01:00", .unlimited, "2026-11-28T00:00:00+01:00"),
            ("2026-11-28T00:00:00+01:00", .pause, "2026-11-30T08:00:00+01:00"),
            ("2026-11-29T23:59:59+01:00", .pause, "2026-11-30T08:00:00+01:00"),
        ]
        try check(rows, Self.week, in: Self.vienna)
        // The same moments are other hours elsewhere.
        try check(
            [("2026-11-23T08:00:00+01:00", .pause, "2026-11-23T08:00:00-05:00")],
            Self.week,
            in: "EST5EDT,M3.2.0,M11.1.0"
        )
    }

    @Test("In the night when clocks skip an hour, what would begin in it begins after it")
    func skippedHour() throws {
        let table = Timetable(
            (0..<7).flatMap { day in
                [
                    Timetable.Entry(minute: day * 1440 + 2 * 60 + 30, rule: .pause),
                    Timetable.Entry(minute: day * 1440 + 4 * 60, rule: .unlimited),
                ]
            }
        )
        // 01:59:59 is followed by 03:00:00.
        try check(
            [
                ("2026-03-29T01:00:00+01:00", .unlimited, "2026-03-29T03:00:00+02:00"),
                ("2026-03-29T01:59:59+01:00", .unlimited, "2026-03-29T03:00:00+02:00"),
                ("2026-03-29T03:00:00+02:00", .pause, "2026-03-29T04:00:00+02:00"),
                ("2026-03-29T04:00:00+02:00", .unlimited, "2026-03-30T02:30:00+02:00"),
            ],
            table,
            in: Self.vienna
        )
        // What would begin and end in it never comes.
        let short = Timetable(
            [(120, .pause), (150, .unlimited)].map { Timetable.Entry(minute: 6 * 1440 + $0, rule: $1) }
        )
        try check(
            [("2026-03-28T12:00:00+01:00", .unlimited, "2026-04-05T02:00:00+02:00")],
            short,
            in: Self.vienna
        )
    }

    @Test("In the night when clocks show an hour twice, what holds in it holds twice")
    func repeatedHour() throws {
        let table = Timetable(
            [(120, .pause), (150, .unlimited)].map { Timetable.Entry(minute: 6 * 1440 + $0, rule: $1) }
        )
        try check(
            [
                ("2026-10-25T01:00:00+02:00", .unlimited, "2026-10-25T02:00:00+02:00"),
                ("2026-10-25T02:00:00+02:00", .pause, "2026-10-25T02:30:00+02:00"),
                ("2026-10-25T02:30:00+02:00", .unlimited, "2026-10-25T02:00:00+01:00"),
                ("2026-10-25T02:00:00+01:00", .pause, "2026-10-25T02:30:00+01:00"),
                ("2026-10-25T02:30:00+01:00", .unlimited, "2026-11-01T02:00:00+01:00"),
            ],
            table,
            in: Self.vienna
        )
    }

    @Test("What never changes has no end")
    func constant() throws {
        let zone = try Self.zone(Self.vienna)
        let now = try Self.time("2026-11-23T12:00:00Z")
        #expect(Timetable([]).hours(at: now, in: zone) == Hours(rule: .unlimited))
        let paused = Timetable([0, 700, 9000].map { Timetable.Entry(minute: $0, rule: .pause) })
        #expect(paused.hours(at: now, in: zone) == Hours(rule: .pause))
        #expect(Self.week.lowestRate == 1 << 20 && paused.lowestRate == nil)
    }

    @Test("Moments at the ends of time do no harm", arguments: [Int64.min, -1, 0, .max])
    func extremes(microseconds: Int64) throws {
        for zone in [ZoneRules.utc, try Self.zone(Self.vienna)] {
            _ = Self.week.hours(at: Timestamp(microseconds: microseconds), in: zone)
        }
    }

    @Test("A moment has the words that a timetable would have for it")
    func words() throws {
        let zone = try Self.zone(Self.vienna)
        #expect(Timetable.words(for: try Self.time("2026-11-23T07:05:00Z"), in: zone) == "Mon 08:05")
        #expect(Timetable.words(for: try Self.time("2026-11-29T23:00:00Z"), in: zone) == "Mon 00:00")
    }

    private func check(_ rows: [Row], _ table: Timetable, in rule: String) throws {
        let zone = try Self.zone(rule)
        for row in rows {
            let hours = table.hours(at: try Self.time(row.moment), in: zone)
            #expect(
                hours == Hours(rule: row.rule, until: try Self.time(row.until)),
                "at \(row.moment), until \(hours.until?.rfc3339 ?? "nil")"
            )
        }
    }
}
