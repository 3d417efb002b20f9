import TestSupport
import Testing

@testable import SourceCore

@Suite struct PollPlanTests {
    @Test("Polls come at their interval, a tenth more or less, and never sooner than the server wants")
    func next() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<1000 {
            let plain = try #require(PollPlan.next(every: 3600, now: 100, using: &generator))
            #expect((3340...4060).contains(plain))
            let fresh = try #require(PollPlan.next(every: 3600, fresh: 7200, now: 0, using: &generator))
            #expect((7200...7920).contains(fresh))
            let wanted = try #require(
                PollPlan.next(every: 60, fresh: 5, wanted: 600, now: 0, using: &generator)
            )
            #expect((600...660).contains(wanted))
            let floor = try #require(PollPlan.next(every: 1, now: 0, using: &generator))
            #expect((60...66).contains(floor))
            let year = try #require(PollPlan.next(every: 60, fresh: 31_536_000, now: 0, using: &generator))
            #expect(year <= 86_400 * 1.1)
        }
        #expect(PollPlan.next(every: nil, now: 0, using: &generator) == nil)
    }

    @Test("Polls that were missed become one, spread over a minute; the others keep their time")
    func afterStart() {
        var generator = SeededGenerator(seed: 2)
        let times = (0..<1000).map { _ in PollPlan.afterStart(planned: 5, now: 1_000_000, using: &generator) }
        #expect(times.allSatisfy { (1_000_000...1_000_060).contains($0) })
        #expect((times.max() ?? 0) - (times.min() ?? 0) > 50)
        #expect(PollPlan.afterStart(planned: 50, now: 40, using: &generator) == 50)
    }

    @Test(
        "A pace is a number in a window",
        arguments: [
            ("30/h", 30, 3600), ("2/s", 2, 1), ("100 / 15m", 100, 900), ("50/d", 50, 86_400), ("x/h", nil, 0),
            ("0/h", nil, 0), ("30/.5h", 30, 1800), ("30/M", nil, 0),
            ("1/y", nil, 0), ("1/", nil, 0), ("/h", nil, 0), ("1/h/h", nil, 0), ("20000/h", nil, 0),
            ("3 0/h", nil, 0), ("1/1 5m", nil, 0), (" 30/ h ", 30, 3600), ("1/32d", nil, 0),
        ] as [(String, Int?, Double)]
    )
    func pace(_ text: String, _ count: Int?, _ window: Double) {
        let pace = SourcePace(text)
        #expect(pace?.count == count)
        #expect(pace == nil || pace?.window == window)
    }

    @Test("No window of time has more requests than the pace allows")
    func window() throws {
        let pace = try #require(SourcePace("3/m"))
        var generator = SeededGenerator(seed: 3)
        var requests: [Double] = []
        var now = 0.0
        for _ in 0..<200 {
            now = pace.earliest(after: requests, now: now)
            requests.append(now)
            now += Double.random(in: 0...30, using: &generator)
        }
        for (first, fourth) in zip(requests, requests.dropFirst(3)) { #expect(fourth - first > 59.999_999) }
        #expect(pace.earliest(after: [0, 1], now: 2) == 2)
    }

    @Test("A source reads ahead so far and no further, but is never stuck")
    func ahead() {
        #expect(Ahead.mayFollow(ahead: 500, unfinished: 0, expected: 0))
        #expect(Ahead.mayFollow(ahead: 500, unfinished: 250, expected: 250))
        #expect(!Ahead.mayFollow(ahead: 500, unfinished: 251, expected: 250))
        #expect(!Ahead.mayFollow(ahead: 500, unfinished: 500, expected: 0))
        #expect(Ahead.mayFollow(ahead: 10, unfinished: 0, expected: 250))
        #expect(Ahead.mayGoOn(ahead: 20, listed: 10, pages: 1))
        #expect(!Ahead.mayGoOn(ahead: 20, listed: 20, pages: 2))
        #expect(Ahead.mayGoOn(ahead: 20, listed: 20, pages: 0))
    }
}
