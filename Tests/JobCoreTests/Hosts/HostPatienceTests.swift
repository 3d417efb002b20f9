import Testing
import Vocabulary

@testable import JobCore
@testable import JobModel

@Suite("The patience with a host")
struct HostPatienceTests {
    private static let start = Moment(microseconds: 1_795_243_503_000_000)
    private static let first = JobID(rawValue: 1)
    private static let second = JobID(rawValue: 2)

    private static func at(_ seconds: Double) -> Moment { start.adding(seconds: seconds) }

    /// What a host may do next, at 100 s.
    enum Answer: Sendable {
        case asks(Double?)
        case answersFirst
        case answersSecond
        case nothing
    }

    /// A host in one of the stages, at 100 s: held for ever means until 130 s.
    enum Before: Sendable {
        case open, held, due, asking

        var patience: HostPatience {
            var patience = HostPatience()
            if self == .open { return patience }
            let wait = self == .held ? 130.0 : 50
            _ = patience.asksToWait(wait, job: second, reason: "busy", now: start)
            if self == .asking { patience.begin(first, now: at(60)) }
            return patience
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var before: Before
        var answer: Answer
        /// The stage afterwards.
        var stage: HostPatience.Stage
        var testDescription: String { "\(before), \(answer)" }

        init(_ before: Before, _ answer: Answer, _ stage: HostPatience.Stage) {
            (self.before, self.answer, self.stage) = (before, answer, stage)
        }
    }

    static let rows = [
        Row(.open, .asks(15), .held(until: at(115))),
        Row(.open, .asks(nil), .held(until: at(130))),
        Row(.open, .asks(0), .held(until: at(101))),
        Row(.open, .asks(-30), .held(until: at(101))),
        Row(.open, .asks(.infinity), .held(until: at(100 + 7 * 86_400))),
        Row(.open, .asks(86_400), .held(until: at(100 + 86_400))),
        Row(.open, .answersFirst, .open),
        Row(.open, .nothing, .open),
        // Those that were under way say nothing new, but for who asks for longer.
        Row(.held, .asks(nil), .held(until: at(130))),
        Row(.held, .asks(5), .held(until: at(130))),
        Row(.held, .asks(300), .held(until: at(400))),
        Row(.held, .answersFirst, .held(until: at(130))),
        Row(.held, .nothing, .held(until: at(130))),
        Row(.due, .asks(15), .held(until: at(115))),
        Row(.due, .answersFirst, .held(until: at(50))),
        Row(.asking, .asks(15), .held(until: at(115))),
        Row(.asking, .asks(nil), .held(until: at(130))),
        Row(.asking, .answersFirst, .open),
        Row(.asking, .answersSecond, .asking(first)),
        // Another goes first then.
        Row(.asking, .nothing, .held(until: at(50))),
    ]

    @Test("A stage and an answer make the next stage", arguments: rows)
    func table(_ row: Row) {
        var patience = row.before.patience
        switch row.answer {
        case .asks(let seconds):
            let until = patience.asksToWait(seconds, job: Self.first, reason: "busy", now: Self.at(100))
            #expect(.held(until: until) == patience.stage)
        case .answersFirst: patience.answered(Self.first, now: Self.at(100))
        case .answersSecond: patience.answered(Self.second, now: Self.at(100))
        case .nothing: patience.left(Self.first)
        }
        #expect(patience.stage == row.stage)
    }

    @Test("Nothing is begun before the time, one request after it, and the others once that is answered")
    func turns() {
        var patience = Before.held.patience
        #expect(!patience.mayBegin(beside: 0, now: Self.at(129.9)))
        #expect(patience.opensAt(beside: 0, now: Self.at(100)) == Self.at(130))
        #expect(patience.mayBegin(beside: 0, now: Self.at(130)))
        patience.begin(Self.first, now: Self.at(130))
        #expect(!patience.mayBegin(beside: 1, now: Self.at(1000)))
        patience.answered(Self.first, now: Self.at(140))
        #expect(patience.mayBegin(beside: 0, now: Self.at(140)) && !patience.isHeld)
    }

    @Test(
        "Without a time of its own it waits 30 s, twice as long each time up to an hour, and 30 s after an answer"
    )
    func doubling() {
        var patience = HostPatience()
        var now = Self.start
        for wait in [30.0, 60, 120, 240, 480, 960, 1920, 3600, 3600] {
            let until = patience.asksToWait(nil, job: Self.first, reason: "busy", now: now)
            #expect(until == now.adding(seconds: wait))
            // One that was under way at the same time.
            let same = patience.asksToWait(nil, job: Self.second, reason: "busy", now: now)
            #expect(same == until)
            now = until
            patience.begin(Self.first, now: now)
        }
        patience.answered(Self.first, now: now)
        let again = patience.asksToWait(nil, job: Self.first, reason: "busy", now: now)
        #expect(again == now.adding(seconds: 30))
    }

    @Test(
        "Who was told to wait asks one at a time at first, and more at once with each 64 answers, or each minute"
    )
    func width() {
        var patience = Before.asking.patience
        patience.answered(Self.first, now: Self.at(100))
        #expect(patience.mayBegin(beside: 0, now: Self.at(100)))
        #expect(!patience.mayBegin(beside: 1, now: Self.at(100)))
        #expect(patience.opensAt(beside: 1, now: Self.at(100)) == Self.at(160))
        #expect(patience.mayBegin(beside: 1, now: Self.at(160)))
        for _ in 1...63 { patience.answered(Self.second, now: Self.at(101)) }
        #expect(
            patience.mayBegin(beside: 1, now: Self.at(101))
                && !patience.mayBegin(beside: 2, now: Self.at(101))
        )
        #expect(!patience.isAtRest)
        for _ in 1...(64 * 64) { patience.answered(Self.second, now: Self.at(102)) }
        #expect(patience.isAtRest && patience.mayBegin(beside: 1000, now: Self.at(102)))
    }

    /// The jobs that a host answers with 503, or otherwise, one after the other; and for how long it is held then.
    @Test(
        "Three jobs in a row that are told 503 hold the host for a moment, and one job alone never does",
        arguments: [
            ([1], nil), ([1, 2], nil), ([1, 1, 1, 1], nil), ([1, 2, 1, 2], nil), ([1, 2, 3], 10),
            ([1, 2, -4, 3], nil), ([1, 2, -4, 3, 1, 2], 10), ([1, 2, 3, 4, 5, 6, 7], 10),
        ] as [([Int64], Double?)]
    )
    func fails(answers: [Int64], seconds: Double?) {
        var patience = HostPatience()
        for answer in answers {
            if answer < 0 {
                patience.answered(JobID(rawValue: -answer), now: Self.start)
            } else {
                _ = patience.fails(JobID(rawValue: answer), reason: "503", now: Self.start)
            }
        }
        #expect(patience.heldUntil == seconds.map(Self.at))
        #expect(patience.isHeld == (patience.cause == .failing) && !patience.isAtRest)
        patience.answered(Self.first, now: Self.start)
        #expect(patience.isAtRest == (seconds == nil))
    }

    @Test("A host that goes on failing is asked once each time, after twice as long, up to five minutes")
    func goesOnFailing() {
        var patience = HostPatience()
        var now = Self.start
        for job in 1...3 as ClosedRange<Int64> {
            _ = patience.fails(JobID(rawValue: job), reason: "503", now: now)
        }
        for wait in [10.0, 20, 40, 80, 160, 300, 300] {
            #expect(patience.heldUntil == now.adding(seconds: wait))
            now = now.adding(seconds: wait)
            patience.begin(Self.first, now: now)
            // One that was under way says nothing new.
            #expect(patience.fails(Self.second, reason: "503", now: now) == nil)
            #expect(patience.stage == .asking(Self.first))
            _ = patience.fails(Self.first, reason: "503", now: now)
        }
        patience.begin(Self.first, now: now.adding(seconds: 300))
        patience.answered(Self.first, now: now.adding(seconds: 301))
        #expect(patience.stage == .open && patience.mayBegin(beside: 0, now: now.adding(seconds: 301)))
        for job in 1...3 as ClosedRange<Int64> {
            _ = patience.fails(JobID(rawValue: job), reason: "503", now: now)
        }
        #expect(patience.heldUntil == now.adding(seconds: 10), "it is forgiven")
        // One that says how long is believed, and told of as one that asks.
        let until = patience.asksToWait(600, job: Self.first, reason: "busy", now: now)
        #expect(until == now.adding(seconds: 600) && patience.cause == .asked)
    }

    @Test(
        "A host whose certificate isn't trusted is asked by one after longer and longer, and then by all at once"
    )
    func distrusted() {
        var patience = HostPatience()
        var now = Self.start
        for wait in [30.0, 60, 120, 240, 480, 960, 1920, 3600, 3600] {
            let until = patience.asksToWait(
                nil,
                job: Self.first,
                because: .certificate,
                reason: "old",
                now: now
            )
            #expect(until == now.adding(seconds: wait) && patience.cause == .certificate)
            now = until
            #expect(patience.mayBegin(beside: 5, now: now))
            patience.begin(Self.first, now: now)
            #expect(!patience.mayBegin(beside: 0, now: now))
        }
        patience.answered(Self.first, now: now)
        #expect(patience.isAtRest && patience.mayBegin(beside: 63, now: now))
        // One that asked to wait before is asked no more at once for that.
        _ = patience.asksToWait(1, job: Self.first, reason: "busy", now: now)
        _ = patience.asksToWait(nil, job: Self.first, because: .certificate, reason: "old", now: now)
        now = now.adding(seconds: 60)
        patience.begin(Self.first, now: now)
        patience.answered(Self.first, now: now)
        #expect(!patience.mayBegin(beside: 1, now: now))
    }

    @Test("Three jobs in a row that are asked for a browser hold the host, for an hour, and up to a day")
    func challenged() {
        var patience = HostPatience()
        var now = Self.start
        func asks(_ job: Int64) -> Double? {
            patience.fails(JobID(rawValue: job), because: .challenge, reason: "403", now: now)
        }
        _ = patience.fails(JobID(rawValue: 8), reason: "503", now: now)
        #expect(asks(1) == nil && asks(2) == nil && !patience.isHeld)
        patience.answered(JobID(rawValue: 9), now: now)
        #expect(asks(1) == nil && asks(1) == nil && asks(2) == nil, "it has answered another")
        for hours in [1.0, 2, 4, 8, 16, 24, 24] {
            let wait = asks(3)
            #expect(wait == hours * 3600 && patience.cause == .challenge)
            #expect(asks(4) == wait, "who was under way waits with the others")
            now = now.adding(seconds: hours * 3600)
            patience.begin(JobID(rawValue: 3), now: now)
        }
        patience.answered(JobID(rawValue: 3), now: now)
        #expect(patience.mayBegin(beside: 63, now: now), "nothing was too much for it")
        #expect(asks(1) == nil)
    }

    @Test("A hold for something else makes one that asks for a browser neither begin sooner nor last longer")
    func challengedAfterOthers() {
        var patience = HostPatience()
        var now = Self.start
        for _ in 1...5 {
            for job in Int64(1)...3 { _ = patience.fails(JobID(rawValue: job), reason: "503", now: now) }
            now = now.adding(seconds: 300)
            patience.begin(Self.first, now: now)
        }
        func asks(_ job: Int64) -> Double? {
            patience.fails(JobID(rawValue: job), because: .challenge, reason: "403", now: now)
        }
        // The first after the hold, and two more.
        #expect(asks(Self.first.rawValue) == nil && patience.cause == .failing)
        patience.left(Self.first)
        for job in Int64(21)...22 {
            patience.begin(JobID(rawValue: job), now: now)
            #expect(asks(job) == (job == 22 ? 3600 : nil))
            patience.left(JobID(rawValue: job))
        }
    }

    @Test("An answer that was under way when the host was held doesn't say that it answers others")
    func lateAnswer() {
        var patience = HostPatience()
        _ = patience.asksToWait(10, job: Self.first, reason: "busy", now: Self.start)
        patience.answered(Self.second, now: Self.at(1))
        patience.begin(Self.first, now: Self.at(10))
        #expect(!patience.asksAlone(Self.first))
    }

    @Test("What a host says once more to one job after it has answered others is about that job's file")
    func asksAlone() {
        var patience = HostPatience()
        _ = patience.asksToWait(10, job: Self.first, reason: "busy", now: Self.start)
        #expect(!patience.asksAlone(Self.first))
        patience.begin(Self.first, now: Self.at(10))
        #expect(!patience.asksAlone(Self.first), "nobody else has been answered")
        _ = patience.asksToWait(10, job: Self.first, reason: "busy", now: Self.at(10))
        patience.begin(Self.second, now: Self.at(20))
        patience.answered(Self.second, now: Self.at(20))
        #expect(patience.asksAlone(Self.first) && !patience.asksAlone(Self.second))
        // Where another is told so, too, it is the host.
        _ = patience.asksToWait(10, job: Self.second, reason: "busy", now: Self.at(20))
        #expect(!patience.asksAlone(Self.first) && !patience.asksAlone(Self.second))
        patience.begin(Self.first, now: Self.at(30))
        patience.answered(Self.first, now: Self.at(30))
        #expect(patience.asksAlone(Self.second) && !patience.asksAlone(Self.first))
        // It is forgotten once it is answered itself.
        patience.answered(Self.second, now: Self.at(31))
        #expect(!patience.asksAlone(Self.second))
    }

    @Test("A hold of an earlier run holds, and doesn't shorten one that is longer")
    func restored() {
        var patience = HostPatience()
        patience.restore(until: Self.at(50), reason: "busy")
        patience.restore(until: Self.at(20), reason: "busy")
        #expect(patience.stage == .held(until: Self.at(50)) && patience.reason == "busy")
    }
}

@Suite("The pace at a host")
struct PaceBucketTests {
    private static let start = Moment(microseconds: 1_795_243_503_000_000)

    /// Begins as many as it may, looking every 10 ms for so many seconds, and returns when each was begun.
    private func run(_ pace: Pace, seconds: Int) -> [Moment] {
        var bucket = PaceBucket(pace)
        var begun: [Moment] = []
        for step in 0..<(seconds * 100) {
            let now = Self.start.adding(seconds: Double(step) / 100)
            while bucket.mayBegin(now: now) {
                bucket.spend(now: now)
                begun.append(now)
            }
        }
        return begun
    }

    @Test(
        "A burst is one second's worth, at least one request, and the pace holds from then on",
        arguments: [
            (Pace(requests: 2, per: 1), 2, 21), (Pace(requests: 60, per: 60), 1, 10),
            (Pace(requests: 5, per: 2), 2, 26),
            (Pace(requests: 1, per: 4), 1, 3), (Pace(requests: 100, per: 1), 100, 1099),
        ]
    )
    func burst(pace: Pace, first: Int, inTen: Int) {
        let begun = run(pace, seconds: 10)
        #expect(begun.count { $0 == Self.start } == first)
        #expect((inTen - 1...inTen + 1).contains(begun.count), "\(begun.count)")
        // Within any length of time there are never more than its share and a burst.
        for (index, moment) in begun.enumerated() {
            for later in begun[index...] {
                let span = later.seconds(since: moment)
                let share = span * Double(pace.requests) / Double(pace.seconds) + Double(max(1, first)) + 1
                let count = begun[index...].prefix { $0 <= later }.count
                if Double(count) > share { Issue.record("\(count) within \(span) s") }
            }
            if index > 200 { break }
        }
    }

    @Test("Requests that had to be made are paid for by those that follow")
    func debt() {
        var bucket = PaceBucket(Pace(requests: 1, per: 1))
        for _ in 1...5 { bucket.spend(now: Self.start) }
        #expect(bucket.opensAt(now: Self.start) == Self.start.adding(seconds: 5))
        #expect(!bucket.isFull(now: Self.start.adding(seconds: 4.9)))
        #expect(bucket.isFull(now: Self.start.adding(seconds: 5)))
    }

    @Test("The longest pace there can be waits, and doesn't overflow")
    func extremes() {
        for pace in [
            Pace(requests: 1, per: .max), Pace(requests: .max, per: 1), Pace(requests: .max, per: .max),
        ] {
            var bucket = PaceBucket(pace)
            for _ in 1...3 { bucket.spend(now: Self.start) }
            _ = bucket.opensAt(now: Self.start)
            _ = bucket.mayBegin(now: Self.start)
        }
    }
}
