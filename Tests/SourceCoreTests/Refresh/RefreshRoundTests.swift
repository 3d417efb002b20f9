import Testing

@testable import SourceCore

/// Tests of when pictures are asked about again, and which.
struct RefreshRoundTests {
    private func place(_ number: UInt64) -> RefreshRound.Place { .init(high: number, low: 0) }

    private func item(_ number: UInt64, lastAsked: Double? = nil) -> RefreshBatch.Item {
        .init(place: place(number), hasDocument: true, isFixed: false, lastAsked: lastAsked)
    }

    private func report(_ number: UInt64, isAtEnd: Bool = false) -> RefreshReport {
        var report = RefreshReport()
        (report.place, report.isAtEnd, report.counts.asked) = (place(number), isAtEnd, 1)
        return report
    }

    @Test("With each walk there is one round, which goes on where it was")
    func rounds() {
        var round = RefreshRound(walk: 1, now: 100)
        #expect(round.step(walk: 1, now: 101) == .ask)
        round.passed(report(5), now: 102)
        #expect(round.step(walk: 1, now: 103) == .ask && round.place == place(5))
        round.passed(report(9, isAtEnd: true), now: 104)
        #expect(round.step(walk: 1, now: 105) == nil && round.isComplete)
        #expect(round.step(walk: 2, now: 200) == .ask)
        #expect((round.walk, round.began, round.place) == (2, 200, nil) && round.counts.asked == 0)
    }

    @Test("A walk that begins before a round has ended has its own afterwards, as of when it began")
    func overlap() {
        var round = RefreshRound(walk: 1, now: 100)
        #expect(round.step(walk: 1, now: 100) == .ask)
        round.passed(report(5), now: 102)
        #expect(round.step(walk: 2, now: 200) == .ask)
        #expect(round.step(walk: 3, now: 300) == .ask)
        #expect((round.walk, round.began, round.place) == (1, 100, place(5)))
        round.passed(report(9, isAtEnd: true), now: 400)
        #expect(round.step(walk: 3, now: 500) == .ask)
        #expect((round.walk, round.began, round.place) == (3, 300, nil))
    }

    @Test("A server that can't be asked is left alone longer and longer, and no longer than an hour")
    func rests() {
        var round = RefreshRound(walk: 1, now: 0)
        var failing = report(1)
        failing.couldNotAsk = true
        var now = 0.0
        var rests: [Double] = []
        for _ in 0..<9 {
            round.passed(failing, now: now)
            guard case .rest(let until) = round.step(walk: 1, now: now) else { break }
            rests.append(until - now)
            now = until
        }
        #expect(rests == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
        failing.retryAfter = 86_400
        round.passed(failing, now: now)
        #expect(round.step(walk: 1, now: now) == .rest(until: now + 3600))
        // It answers again.
        now += 3600
        round.passed(report(2), now: now)
        failing.retryAfter = 300
        round.passed(failing, now: now)
        #expect(round.step(walk: 1, now: now) == .rest(until: now + 300))
    }

    @Test("What is stored is read again, and damaged numbers keep nobody waiting")
    func stored() throws {
        var round = RefreshRound(walk: 7, now: 100)
        _ = round.step(walk: 8, now: 150)
        var said = report(.max)
        said.trouble = "t"
        round.passed(said, now: 160)
        let data = try JSONCoding.encode(round)
        #expect(try JSONCoding.decode(RefreshRound.self, from: data) == round)
        #expect(round.limited(walks: 8, now: 200) == round)
        var far = RefreshRound(walk: .max, now: 1e300)
        said.couldNotAsk = true
        far.passed(said, now: 1e300)
        var bounded = far.limited(walks: 3, now: 200)
        #expect((bounded.walk, bounded.began) == (3, 200))
        #expect(bounded.step(walk: 4, now: 200) == .rest(until: 3800))
    }

    @Test("Asked about is what was fetched, and neither fetched nor asked about since the round began")
    func due() {
        var batch = RefreshBatch(since: 100)
        let table: [(RefreshBatch.Item, Bool)] = [
            (item(1), true), (item(2, lastAsked: 99), true), (item(3, lastAsked: 100), false),
            (item(4, lastAsked: 500), false),
            (.init(place: place(5), hasDocument: false, isFixed: false, lastAsked: nil), false),
            (.init(place: place(6), hasDocument: true, isFixed: true, lastAsked: nil), false),
        ]
        for (item, isAsked) in table { #expect(batch.pass(item) == isAsked, "\(item)") }
        #expect(batch.report.place == place(6) && batch.report.counts.asked == 0)
    }

    @Test("A batch ends after so many questions, so many items, or where a server is to be left alone")
    func batches() {
        var batch = RefreshBatch(since: 0)
        for number in 1...UInt64(RefreshBatch.mostAsked) {
            #expect(!batch.isFull && batch.pass(item(number)))
            batch.record(.answered(.unchanged(DocumentValidators())), of: "job \(number)")
        }
        #expect(batch.isFull && !batch.report.couldNotAsk)
        batch = RefreshBatch(since: 0)
        for number in 0..<UInt64(RefreshBatch.mostPassed) {
            #expect(!batch.isFull)
            _ = batch.pass(item(number, lastAsked: 1))
        }
        #expect(batch.isFull)
        let down = RefreshBatch.Outcome.unreachable("no answer")
        let broken = RefreshBatch.Outcome.answered(.refused(status: 500))
        let busy = RefreshBatch.Outcome.answered(.busy(status: 503, retryAfter: 5))
        for outcomes in [[down, down, down], [broken, down, broken], [busy]] {
            batch = RefreshBatch(since: 0)
            for outcome in outcomes {
                #expect(!batch.isFull)
                batch.record(outcome, of: "job 1")
            }
            #expect(batch.isFull && batch.report.couldNotAsk)
        }
        batch = RefreshBatch(since: 0)
        let gone = RefreshBatch.Outcome.answered(.gone(status: 404))
        for outcome in [down, down, gone, down, .answered(.changed), broken, .impossible("x")] {
            batch.record(outcome, of: "job 3")
        }
        let counts = batch.report.counts
        #expect((counts.asked, counts.changed, counts.gone, counts.unanswered) == (7, 1, 1, 5))
        #expect(!batch.isFull && batch.report.trouble == "job 3: x")
    }

    @Test("Only a recipe that says so has pictures asked about, and not while its source is in trouble")
    func machine() throws {
        var recipe = Recipe(name: "s", url: try URLTemplate("https://h.example/list"))
        var generator = SystemRandomNumberGenerator()
        var machine = SourceMachine(recipe, now: 0, using: &generator)
        #expect(machine.nextRefresh(now: 1) == .rest(until: nil))
        recipe.refresh = .ifChanged
        machine = SourceMachine(recipe, now: 0, using: &generator)
        let step = machine.nextRefresh(now: 1)
        #expect(step == .ask(after: nil, since: 1))
        machine.refreshed(report(4), now: 2)
        #expect(machine.nextRefresh(now: 3) == .ask(after: place(4), since: 1))
        machine.pause()
        #expect(machine.nextRefresh(now: 4) == .rest(until: nil))
        machine.resume()
        #expect(machine.nextRefresh(now: 5) == .ask(after: place(4), since: 1))
        machine.failed(SourceFailure(.unauthorized, "no"), retryAfter: nil, now: 6, using: &generator)
        #expect(machine.nextRefresh(now: 7) == .rest(until: nil))
    }
}
