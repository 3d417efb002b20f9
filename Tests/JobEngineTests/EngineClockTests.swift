import JobModel
import Testing

@testable import JobEngine

/// An engine whose wall clock is set while it works.
struct EngineClockTests {
    private static let year = 365.0 * 86_400
    private let failure = JobFailure(.connectFailed, "the host does not answer")

    private func waiting() throws -> EngineHarness {
        let harness = try EngineHarness()
        _ = try harness.submit(["http://example.org/1.jpg"])
        try harness.report(1, .ended(.interrupted(failure, retryAfter: 30)))
        try harness.untilWritten()
        #expect(try harness.stored(1)?.state == .waiting)
        return harness
    }

    @Test(
        "A retry comes when its wait is over, also after a restart",
        arguments: [-year, year],
        [false, true]
    )
    func retry(step: Double, restarts: Bool) throws {
        let harness = try waiting()
        harness.now.wall = harness.now.wall.adding(seconds: step)
        if restarts { try harness.restart() }
        harness.now = harness.now.adding(seconds: 29)
        try harness.turn()
        #expect(try harness.stored(1)?.state == .waiting)
        harness.now = harness.now.adding(seconds: 2)
        try harness.turn()
        try harness.untilWritten()
        #expect(try harness.stored(1)?.state == .downloading)
    }

    @Test("A full disk is looked at again in a second, however the clock is set", arguments: [-year, year])
    func fullDisk(step: Double) throws {
        let harness = try EngineHarness()
        _ = try harness.submit(["http://example.org/1.jpg"])
        harness.store.fail(with: .outOfSpace)
        harness.now = harness.now.adding(seconds: 1)
        try harness.turn()
        #expect(harness.core.bench.window.isHeldUp)
        harness.now.wall = harness.now.wall.adding(seconds: step)
        harness.store.fail(with: nil)
        harness.now = harness.now.adding(seconds: 1.1)
        try harness.turn()
        #expect(!harness.core.bench.window.isHeldUp)
    }

    @Test("Events have the time that the clock showed; ids go on, and the batch's clock never goes back")
    func events() async throws {
        let harness = try EngineHarness()
        _ = try harness.submit((1...4).map { "http://example.org/\($0).jpg" })
        for (job, step) in [(1, -Self.year), (2, 2 * Self.year), (3, -2 * Self.year), (4, 0)] {
            harness.now.wall = harness.now.wall.adding(seconds: step)
            harness.now = harness.now.adding(seconds: 10)
            try harness.download(Int64(job))
            try harness.untilWritten()
        }
        for told in [
            harness.outside.all.events,
            try await harness.store.real.events(after: 0, limit: 1000, batch: nil),
        ] {
            #expect(told.map(\.id) == Array(1...Int64(told.count)))
            let elapsed = told.map(\.elapsed)
            #expect(elapsed == elapsed.sorted())
            #expect((40...50).contains(try #require(elapsed.last)))
            let stored = told.filter { if case .stored = $0.kind { true } else { false } }
            let years = stored.map {
                (($0.time.wall.seconds(since: stored[0].time.wall)) / Self.year).rounded()
            }
            #expect(years == [0, 2, 0, 0])
        }
    }

    @Test("A time in the future pins no later one")
    func future() throws {
        let harness = try EngineHarness()
        harness.now.wall = harness.now.wall.adding(seconds: Self.year)
        _ = try harness.submit(["http://example.org/1.jpg", "http://example.org/2.jpg"])
        try harness.download(1)
        harness.now.wall = harness.now.wall.adding(seconds: -Self.year)
        try harness.restart()
        try harness.download(2)
        try harness.untilWritten()
        let last = try #require(harness.outside.all.events.last)
        #expect(abs(last.time.wall.seconds(since: harness.now.wall)) < 1)
        #expect(last.elapsed < 10)
    }

    @Test("The clock is stored with the first commit, then now and then, and where the wall clock was set")
    func storedClock() throws {
        let harness = try EngineHarness()
        let clock = SteadyClock(
            goingOnWith: nil,
            boot: "one",
            reading: ClockReading(wall: harness.now.wall, sinceBoot: 1)
        )
        harness.core = try EngineCore(
            ports: harness.core.bench.ports,
            configuration: harness.configuration,
            now: harness.now,
            clock: clock,
            complain: { Issue.record("\($0)") }
        )
        _ = try harness.submit(["http://example.org/1.jpg"])
        let first = try #require(try harness.store.real.storedClock())
        #expect(first.boot == "one" && first.ahead == clock.ahead)
        #expect(first.moment <= harness.now)
        harness.now.wall = harness.now.wall.adding(seconds: -100)
        try harness.download(1)
        let second = try #require(try harness.store.real.storedClock())
        #expect(second.moment.wall.seconds(since: first.moment.wall) < -90)
        #expect(second.moment > first.moment)
    }
}
