import JobCore
import JobModel
import Testing

/// Tests of which ended jobs are old enough to be forgotten.
struct JobKeepingTests {
    private static let day = 86_400.0
    private let start = Moment(microseconds: 1_795_243_503_000_000)

    @Test("Jobs go that ended before the time for which they are kept")
    func bound() {
        var keeping = JobKeeping(time: 90 * Self.day)
        #expect(keeping.bound(now: start) == start.wall.adding(seconds: -90 * Self.day))
        let later = start.adding(seconds: keeping.interval)
        #expect(keeping.bound(now: later) == later.wall.adding(seconds: -90 * Self.day))
    }

    @Test(
        "It is looked often enough for the time",
        arguments: [(60, 60), (3600, 180), (86_400, 3600), (86_400 * 365, 3600)] as [(Double, Double)]
    )
    func interval(time: Double, interval: Double) { #expect(JobKeeping(time: time).interval == interval) }

    @Test("After the clock was set forward nothing is forgotten for a while, in which it can be put right")
    func setForward() {
        var keeping = JobKeeping(time: 90 * Self.day)
        _ = keeping.bound(now: start)
        var wrong = start.adding(seconds: 3600)
        wrong.wall = wrong.wall.adding(seconds: 365 * Self.day)
        #expect(keeping.bound(now: wrong) == nil)
        var other = keeping
        let right = start.adding(seconds: 7200)
        #expect(other.bound(now: right) == nil, "it waits its time out")
        // A machine that was really wrong before goes on after a day.
        let next = wrong.adding(seconds: Self.day)
        #expect(keeping.bound(now: next) == next.wall.adding(seconds: -90 * Self.day))
    }

    @Test("What is kept for less than a day doesn't wait for a day, and small corrections make no difference")
    func small() {
        var keeping = JobKeeping(time: 3600)
        _ = keeping.bound(now: start)
        var corrected = start.adding(seconds: 180)
        corrected.wall = corrected.wall.adding(seconds: 20)
        #expect(keeping.bound(now: corrected) != nil)
        var wrong = corrected.adding(seconds: 180)
        wrong.wall = wrong.wall.adding(seconds: Self.day)
        #expect(keeping.bound(now: wrong) == nil)
        #expect(keeping.bound(now: wrong.adding(seconds: 3599)) == nil)
        #expect(keeping.bound(now: wrong.adding(seconds: 3600)) != nil)
    }

    @Test(
        "A start with a clock that is more than a day ahead of the last run's is one to doubt",
        arguments: [
            (nil, false), (-86_400, false), (3600, false), (86_400, false), (90_000, true),
            (5 * 365 * 86_400, true),
        ]
            as [(Double?, Bool)]
    )
    func doubts(ahead: Double?, isDoubted: Bool) {
        let last = ahead.map { start.wall.adding(seconds: -$0) }
        #expect(JobKeeping.doubts(start.wall, after: last) == isDoubted)
    }

    @Test("A clock that is doubted forgets nothing until it is synchronized, or for as long as jobs are kept")
    func doubted() {
        for time in [3600, 90 * Self.day] {
            var keeping = JobKeeping(time: time, doubtedSince: start)
            #expect(keeping.bound(now: start) == nil)
            let later = start.adding(seconds: time - 1)
            #expect(keeping.bound(now: later) == nil && keeping.doubtedSince == start)
            var synchronized = keeping
            #expect(synchronized.bound(now: later, isSynchronized: true) == later.wall.adding(seconds: -time))
            #expect(synchronized.doubtedSince == nil)
            let end = start.adding(seconds: time)
            #expect(
                keeping.bound(now: end) == end.wall.adding(seconds: -time),
                "all of before are old enough"
            )
        }
    }

    @Test("A tenth is forgotten in a day at most, and of what is kept for a few days twice what grows old")
    func tenth() {
        var keeping = JobKeeping(time: 90 * Self.day)
        #expect(keeping.allowance(ofEnded: 1000, now: start) == 100)
        keeping.forgot(60)
        #expect(keeping.allowance(ofEnded: 940, now: start.adding(seconds: 3600)) == 40)
        keeping.forgot(40)
        let last = start.adding(seconds: Self.day - 1)
        #expect(keeping.allowance(ofEnded: 900, now: last) == 0)
        // Of those that have ended since as well.
        #expect(keeping.allowance(ofEnded: 1000, now: last) == 10)
        #expect(keeping.allowance(ofEnded: 900, now: start.adding(seconds: Self.day)) == 90)
        var few = JobKeeping(time: 90 * Self.day)
        #expect(few.allowance(ofEnded: 3, now: start) == 1 && few.allowance(ofEnded: 0, now: start) == 0)
        var week = JobKeeping(time: 8 * Self.day)
        #expect(week.allowance(ofEnded: 1000, now: start) == 250)
        var day = JobKeeping(time: 2 * Self.day)
        #expect(day.allowance(ofEnded: 1000, now: start) == .max)
        for count in [500, .max, .max] { day.forgot(count) }
        #expect(day.allowance(ofEnded: 1000, now: start) == .max)
    }

    @Test("A clock that is set back forgets fewer, and is believed at once")
    func setBack() {
        var keeping = JobKeeping(time: 3600)
        _ = keeping.bound(now: start)
        var back = start.adding(seconds: 180)
        back.wall = back.wall.adding(seconds: -30 * Self.day)
        #expect(keeping.bound(now: back) == back.wall.adding(seconds: -3600))
    }
}
