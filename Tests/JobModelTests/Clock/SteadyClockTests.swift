import JobModel
import Testing

struct SteadyClockTests {
    private static let start = Int64(1_795_243_503_000_000)
    private static let year = 365.0 * 86_400

    /// A machine whose clocks a test sets.
    private struct Machine {
        var boot = "one"
        var wall = Timestamp(microseconds: SteadyClockTests.start)
        var sinceBoot: Int64 = 5_000_000

        var reading: ClockReading { ClockReading(wall: wall, sinceBoot: sinceBoot) }

        mutating func run(_ seconds: Double) {
            wall = wall.adding(seconds: seconds)
            sinceBoot += Int64(seconds * 1_000_000)
        }

        mutating func reboot(after seconds: Double) {
            wall = wall.adding(seconds: seconds)
            (boot, sinceBoot) = (boot + "'", 1_000_000)
        }

        func clock(after stored: StoredClock? = nil) -> SteadyClock {
            SteadyClock(goingOnWith: stored, boot: boot, reading: reading)
        }
    }

    @Test("It begins as the wall clock shows, and goes on as time does, whatever becomes of the wall clock")
    func steps() {
        var machine = Machine()
        let clock = machine.clock()
        let first = clock.moment(machine.reading)
        #expect(first == Moment(microseconds: Self.start))
        for step in [0, Self.year, -3 * Self.year, 60, -0.5] {
            let before = clock.moment(machine.reading)
            machine.wall = machine.wall.adding(seconds: step)
            machine.run(10)
            let after = clock.moment(machine.reading)
            #expect(after.seconds(since: before) == 10)
            #expect(after.wall == machine.wall)
        }
    }

    @Test("Another run of the daemon goes on with it, by as much as passed, while the machine runs")
    func anotherRun() {
        var machine = Machine()
        let first = machine.clock()
        let stored = first.stored(at: first.moment(machine.reading))
        for step in [Self.year, -Self.year] {
            machine.wall = machine.wall.adding(seconds: step)
            machine.run(3600)
            let second = machine.clock(after: stored)
            #expect(second == first)
        }
    }

    @Test(
        "Over a restart of the machine it goes by the wall clock, and never back",
        arguments: [-1e9, -60, 0, 60, 1e6]
    )
    func reboot(step: Double) {
        var machine = Machine()
        let first = machine.clock()
        machine.run(100)
        let last = first.moment(machine.reading)
        machine.reboot(after: step)
        let second = machine.clock(after: first.stored(at: last))
        #expect(second.moment(machine.reading).seconds(since: last) == max(0, step))
    }

    @Test("It is stored now and then, and where the wall clock was set")
    func outdated() {
        var machine = Machine()
        let clock = machine.clock()
        let stored = clock.stored(at: clock.moment(machine.reading))
        machine.run(59)
        #expect(!stored.isOutdated(at: clock.moment(machine.reading)))
        machine.wall = machine.wall.adding(seconds: -2)
        #expect(stored.isOutdated(at: clock.moment(machine.reading)))
        machine.wall = machine.wall.adding(seconds: 2)
        machine.run(1)
        #expect(stored.isOutdated(at: clock.moment(machine.reading)))
    }

    @Test("It goes on behind the last event, unless that can't have been")
    func lastEvent() {
        var machine = Machine()
        let clock = machine.clock()
        let stored = clock.stored(at: clock.moment(machine.reading))
        machine.run(30)
        // Set back while nothing happens, and then the power fails.
        let event = clock.moment(machine.reading)
        machine.reboot(after: -86_400)
        let next = machine.clock(after: stored.noEarlier(than: event))
        #expect(next.moment(machine.reading).seconds(since: event) == 0)
        for damaged in [event.adding(seconds: 1e9), event.adding(seconds: -1e9)] {
            #expect(stored.noEarlier(than: damaged) == stored)
        }
    }

    @Test("No reading is so wild that it ends the daemon", arguments: [Int64.min, -1, 0, Int64.max])
    func wild(number: Int64) {
        let wild = Moment(microseconds: number)
        let clock = SteadyClock(
            goingOnWith: StoredClock(boot: "x", ahead: number, moment: wild),
            boot: "y",
            reading: ClockReading(wall: wild.wall, sinceBoot: number)
        )
        let moment = clock.moment(ClockReading(wall: wild.wall, sinceBoot: number))
        for other in [Moment(microseconds: .min), Moment(microseconds: .max), moment] {
            #expect(moment.seconds(since: other).isFinite)
            _ = clock.stored(at: other).isOutdated(at: moment)
        }
        #expect(moment.adding(seconds: 1e300) >= moment)
        #expect(moment.adding(seconds: -1e300) <= moment)
    }

    @Test("What was to be at a moment is told by the wall clock as it is set now")
    func shown() {
        let until = Moment(microseconds: Self.start).adding(seconds: 100)
        var now = Moment(microseconds: Self.start + 40_000_000)
        #expect(until.wall(asOf: now) == until.wall)
        now.wall = now.wall.adding(seconds: 0.5)
        #expect(until.wall(asOf: now) == until.wall, "clocks that are kept in time move a little")
        now.wall = now.wall.adding(seconds: -3600)
        #expect(until.wall(asOf: now) == now.wall.adding(seconds: 60))
    }
}
