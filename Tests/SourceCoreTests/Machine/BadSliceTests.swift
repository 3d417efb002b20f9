import FoundationEssentials
import TestSupport
import Testing

@testable import SourceCore

/// Tests of slices that can't be read.
@Suite struct BadSliceTests {
    private final class Run {
        var machine: SourceMachine
        var generator = SeededGenerator(seed: 1)
        var now = 0.0

        init(_ change: (inout Recipe) -> Void = { _ in }) throws {
            var recipe = Recipe(name: "s", url: try URLTemplate("https://h/{n}"))
            recipe.items = ".[]"
            recipe.job.url = "."
            recipe.every = 3600
            recipe.slices = SliceRecipe(url: try URLTemplate("https://h/parts"), each: ".[]")
            change(&recipe)
            machine = SourceMachine(recipe, now: 0, using: &generator)
        }

        var state: SourceState { machine.state }

        var slice: String? {
            guard case .read(let plan) = machine.next(unfinished: 0, now: now) else { return nil }
            if case .pages(let slice) = plan.part { return slice?.key }
            return "list"
        }

        func list(_ keys: [String], changed: String? = nil) {
            _ = slice
            machine.manifestRead(
                keys.map { Slice(key: $0, changed: changed) },
                SourceMachine.Response(),
                now: now,
                using: &generator
            )
        }

        func read(_ next: PageReport.Next = .absent, keys: [String] = ["k"]) {
            guard case .read(let plan) = machine.next(unfinished: 0, now: now) else { return }
            let report = WalkTests.page(keys, next: next)
            machine.pageRead(report, SourceMachine.Response(), at: plan.cursor, now: now, using: &generator)
        }

        func fail(
            _ status: Int,
            _ code: SourceFailure.Code = .unexpectedStatus,
            at url: String = "https://h/x",
            isOffline: Bool = false
        ) {
            let failure = SourceFailure(code, "no", status: status)
            machine.failed(failure, at: url, isOffline: isOffline, now: now, using: &generator)
        }

        /// Waits as long as the source wants to, after a failure; returns for how long.
        @discardableResult func wait() -> Double {
            guard case .waiting(let until) = machine.state.activity else { return 0 }
            defer { now = until }
            return until - now
        }
    }

    @Test(
        "A slice that can't be read costs that slice, and the walk is complete without it",
        arguments: [
            (.unexpectedStatus, 404), (.unexpectedStatus, 410), (.unauthorized, 403), (.unauthorized, 401),
            (.unexpectedShape, 0), (.unexpectedType, 0), (.tooLarge, 0), (.unexpectedStatus, 418),
        ] as [(SourceFailure.Code, Int)]
    )
    func costsItself(_ code: SourceFailure.Code, _ status: Int) throws {
        let run = try Run()
        run.list(["a", "b", "c"])
        run.read()
        #expect(run.slice == "b")
        run.fail(status, code)
        #expect(run.slice == "c" && run.state.failure == nil)
        run.read()
        #expect(run.state.lastStop == .lastPage && run.state.hasCompleted)
        let bad = try #require(run.state.walk?.badSlices)
        #expect(bad.count == 1 && bad.named.map(\.key) == ["b"])
        #expect(bad.words == "1 slice could not be read; the first: https://h/x: no")
        guard case .idle(let until) = run.state.activity else { return #expect(Bool(false)) }
        // The next walk reads the list anew, and tries the slice again, unless it isn't there any more.
        run.now = until
        #expect(run.slice == "list")
        run.list(["a", "c"])
        run.read()
        run.read()
        #expect(run.state.lastStop == .lastPage && run.state.walk?.badSlices == nil)
    }

    @Test(
        "A slice in trouble is asked for five times before it is left out, and one that asks for patience always"
    )
    func patience() throws {
        for code in [SourceFailure.Code.connection, .unexpectedStatus] {
            let run = try Run()
            run.list(["a", "b"])
            for _ in 1..<SourceMachine.mostSliceFailures {
                run.fail(code == .connection ? 0 : 503, code)
                guard case .waiting(let until) = run.state.activity else { return #expect(Bool(false)) }
                run.now = until
                #expect(run.slice == "a")
            }
            run.fail(code == .connection ? 0 : 503, code)
            #expect(run.slice == "b" && run.state.failures == 0)
        }
        let limited = try Run()
        limited.list(["a", "b"])
        for _ in 1...20 {
            limited.fail(403, .rateLimited)
            guard case .waiting(let until) = limited.state.activity else { return #expect(Bool(false)) }
            limited.now = until
            #expect(limited.slice == "a")
        }
    }

    @Test("While the machine reaches no server, slices wait, and none is left out for it")
    func offline() throws {
        let run = try Run()
        run.list(["a", "b", "c"])
        for _ in 1...50 {
            run.fail(0, .connection, isOffline: true)
            // A quarter of an hour, and a tenth: no longer once the line is back.
            #expect((54...18 * 60).contains(run.wait()) && run.slice == "a")
        }
        // Its tries are still those of a slice that nobody has asked for.
        for _ in 1..<SourceMachine.mostSliceFailures {
            run.fail(0, .connection)
            run.wait()
            #expect(run.slice == "a")
        }
        run.read()
        #expect(run.slice == "b" && run.state.walk?.badSlices == nil && run.state.failures == 0)
        // What a server answers, it answers over a line.
        run.fail(404, isOffline: true)
        #expect(run.slice == "c" && run.state.walk?.badSlices?.count == 1)
    }

    @Test(
        "Once a slice was left out since its server can't be reached, others of that server wait until one answers"
    )
    func silence() throws {
        let run = try Run()
        func lose(_ url: String) {
            for _ in 1...SourceMachine.mostSliceFailures {
                run.fail(0, .connection, at: url)
                run.wait()
            }
        }
        run.list(["a", "b", "c", "d", "e"])
        lose("https://h/a")
        #expect(run.slice == "b")
        lose("https://h/b")
        lose("https://h/b")
        #expect(run.slice == "b" && run.state.walk?.badSlices?.count == 1)
        run.read()
        #expect(run.slice == "c")
        lose("https://h/c")
        #expect(run.slice == "d")
        // Another server may be gone as well.
        lose("https://o/d")
        #expect(run.slice == "e")
        lose("https://h/e")
        #expect(run.state.lastStop == .lastPage && run.state.walk?.badSlices?.count == 4)
    }

    @Test("A server that is gone for good costs its slices a day each, and not those of others their turn")
    func goneForGood() throws {
        let run = try Run()
        run.list(["a", "b", "c"])
        let began = run.now
        var tries = 0
        while run.slice != "c", tries < 1000 {
            run.fail(0, .connection, at: run.slice == "a" ? "https://h/a" : "https://h/b")
            run.wait()
            tries += 1
        }
        #expect(run.slice == "c" && run.state.walk?.badSlices?.count == 2)
        #expect(run.now - began > FailurePlan.rest && run.now - began < 2 * FailurePlan.rest)
        run.read()
        #expect(run.state.lastStop == .lastPage)
    }

    @Test("Where access to all slices is refused, the source is unauthorized; where one is open, it isn't")
    func refused() throws {
        let run = try Run()
        run.list(["a", "b", "c", "d"])
        for _ in 1...SourceMachine.mostRefusedSlices { run.fail(403, .unauthorized) }
        guard case .failed(let until) = run.state.activity else { return #expect(Bool(false)) }
        #expect(run.state.failure?.code == .unauthorized)
        run.now = until
        #expect(run.slice == "list")
        let open = try Run()
        open.list(["a", "b", "c", "d", "e"])
        open.fail(403, .unauthorized)
        open.read()
        for _ in 1...3 { open.fail(403, .unauthorized) }
        #expect(open.state.lastStop == .lastPage && open.state.walk?.badSlices?.count == 4)
    }

    @Test("A walk whose slices all fail isn't complete")
    func allFail() throws {
        let run = try Run()
        run.list(["a", "b"])
        run.fail(404)
        run.fail(404)
        #expect(run.state.lastStop == .slicesFailed && !run.state.hasCompleted)
        #expect(
            run.state.failure?.message.hasPrefix("none of its slices could be read; 2 slices could") == true
        )
        // One that was skipped, because it hasn't changed, is known.
        let known = try Run { $0.slices?.changed = ".n" }
        known.list(["a"], changed: "1")
        known.read()
        known.machine.poll(now: 0)
        known.machine.manifestRead(
            [Slice(key: "a", changed: "1"), Slice(key: "b", changed: "1")],
            SourceMachine.Response(),
            now: 0,
            using: &known.generator
        )
        #expect(known.slice == "b")
        known.fail(404)
        #expect(known.state.lastStop == .lastPage && known.state.walk?.goodSlices == 1)
    }

    @Test(
        "A slice that failed is read by the next walk, though its list says that it hasn't changed since it was read"
    )
    func changedBefore() throws {
        let run = try Run { $0.slices?.changed = ".n" }
        run.list(["a", "b"], changed: "1")
        run.read()
        run.read()
        run.machine.poll(fetchesMissing: true, now: 0)
        run.list(["a", "b"], changed: "1")
        run.fail(404)
        run.read()
        run.machine.poll(now: 0)
        guard case .read(let plan) = run.machine.next(unfinished: 0, now: 0) else {
            return #expect(Bool(false))
        }
        #expect(plan.part == .manifest && plan.validators == nil)
        run.list(["a", "b"], changed: "1")
        #expect(run.slice == "a")
    }

    @Test("A poll reads the list of slices again, in which the one that is waited for may no longer be")
    func polled() throws {
        let run = try Run()
        run.list(["a", "b"])
        run.read()
        run.fail(503)
        run.machine.poll(now: 0)
        #expect(run.slice == "list")
        run.list(["a", "c"])
        #expect(run.slice == "c")
        #expect(run.state.walks == 1)
    }

    @Test("A page that is gone ends a source only where it is its first; a place that is gone ends the walk")
    func gone() throws {
        let run = try Run { recipe in
            recipe.slices = nil
            recipe.next = .expression(".next")
        }
        run.read(.url("https://h/2"))
        run.fail(410)
        #expect(run.state.lastStop == .placeGone && run.state.failure?.status == 410)
        guard case .idle(let until) = run.state.activity else { return #expect(Bool(false)) }
        run.now = until
        guard case .read(let plan) = run.machine.next(unfinished: 0, now: until) else {
            return #expect(Bool(false))
        }
        #expect(plan.cursor == .start)
        run.fail(410)
        #expect(run.state.activity == .ended && run.state.lastStop == .gone)
    }

    @Test("An unchanged list is known to have what it had")
    func unchanged() throws {
        let run = try Run { recipe in
            recipe.slices = nil
            recipe.next = nil
        }
        run.read(keys: ["a", "b", "c"])
        run.machine.poll(now: 0)
        _ = run.slice
        run.machine.pageUnchanged(SourceMachine.Response(), now: 0, using: &run.generator)
        #expect(run.state.lastStop == .unchanged && run.state.walk?.items == 0 && run.state.lastListed == 3)
    }

    @Test("A state with bad slices comes back as it was written")
    func stored() throws {
        let run = try Run()
        run.list(["a", "b", "c"])
        run.read()
        run.fail(404)
        let data = try JSONCoding.encode(run.state)
        #expect(try JSONCoding.decode(SourceState.self, from: data) == run.state)
    }
}
