import Testing

@testable import JobCore
@testable import JobModel

@Suite("When a timetable is looked at")
struct HoursClockTests {
    /// Paused on Mondays from 08:00 to 09:00.
    private static let table = Timetable([
        Timetable.Entry(minute: 480, rule: .pause), Timetable.Entry(minute: 540, rule: .unlimited),
    ])

    private static func monday(_ time: String) throws -> Moment {
        Moment(microseconds: try #require(Timestamp(rfc3339: "2026-11-23T\(time)Z")).microseconds)
    }

    /// The moment this many seconds later, with the wall clock set by others.
    private func later(_ moment: Moment, _ seconds: Double, step: Double = 0) -> Moment {
        var later = moment.adding(seconds: seconds)
        later.wall = later.wall.adding(seconds: step)
        return later
    }

    @Test("It is looked at when something else begins, and every half minute")
    func pace() throws {
        var clock = HoursClock()
        #expect(clock.looksAt == nil)
        let now = try Self.monday("07:59:50")
        clock.look(at: Self.table, in: { .utc }, now: now)
        #expect(clock.hours.rule == .unlimited)
        #expect(clock.looksAt == now.adding(seconds: 10))
        clock.look(at: Self.table, in: { .utc }, now: later(now, 10))
        #expect(clock.hours.rule == .pause)
        #expect(clock.looksAt == later(now, 40))
        clock.look(at: Timetable([]), in: { .utc }, now: later(now, 11))
        #expect(clock.hours == Hours(rule: .unlimited) && clock.looksAt == nil)
    }

    @Test("Nothing is looked up in between")
    func rests() throws {
        var clock = HoursClock()
        let now = try Self.monday("07:00:00")
        clock.look(at: Self.table, in: { .utc }, now: now)
        clock.look(
            at: Self.table,
            in: {
                Issue.record("it isn't time to")
                return .utc
            },
            now: later(now, 29.9)
        )
        clock.forget()
        var looked = false
        clock.look(
            at: Self.table,
            in: {
                looked = true
                return .utc
            },
            now: later(now, 29.9)
        )
        #expect(looked)
    }

    @Test("A step of the wall clock counts with the next turn, whichever way", arguments: [3600.0, -3600])
    func step(seconds: Double) throws {
        var clock = HoursClock()
        let now = try Self.monday(seconds > 0 ? "07:30:00" : "08:30:00")
        clock.look(at: Self.table, in: { .utc }, now: now)
        let before = clock.hours.rule
        clock.look(at: Self.table, in: { .utc }, now: later(now, 0.5, step: seconds))
        #expect(clock.hours.rule != before)
    }

    @Test("Another time zone counts within half a minute")
    func zone() throws {
        var clock = HoursClock()
        let now = try Self.monday("07:30:00")
        clock.look(at: Self.table, in: { .utc }, now: now)
        let vienna = ZoneRules(changes: [], offsets: [3600], yearly: nil)
        clock.look(at: Self.table, in: { vienna }, now: later(now, 30))
        #expect(clock.hours.rule == .pause)
    }
}
