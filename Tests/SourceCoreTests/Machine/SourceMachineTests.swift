import TestSupport
import Testing

@testable import SourceCore

/// Tests of what a source does next, decided without pages and clocks.
struct SourceMachineTests {
    private static func recipe(_ change: (inout Recipe) -> Void = { _ in }) throws -> Recipe {
        var recipe = Recipe(name: "s", url: try URLTemplate("https://h/list"))
        recipe.items = ".items[]"
        recipe.job.url = ".url"
        recipe.next = .expression(".next")
        recipe.every = 3600
        change(&recipe)
        return recipe
    }

    private static func report(
        _ keys: [String],
        next: PageReport.Next,
        new: Int? = nil,
        more: Bool? = nil,
        total: Int? = nil
    ) -> PageReport {
        PageReport(
            listed: keys.count,
            new: new ?? keys.count,
            newToWalk: keys.count,
            fingerprint: PageFingerprint(keys: keys),
            next: next,
            more: more,
            total: total
        )
    }

    @Test("A walk for what is missing begins anew, reads everything, and asks for nothing conditionally")
    func missing() throws {
        let run = Run(
            try Self.recipe {
                $0.order = .newestFirst
                $0.limits.knownPages = 1
            }
        )
        try run.read(Self.report(["a"], next: .end), etag: "\"v\"")
        run.machine.poll(now: 10)
        #expect(run.plan(now: 10)?.validators != nil)
        run.machine.poll(fetchesMissing: true, now: 10)
        #expect(run.machine.state.walk?.number == 3)
        #expect(run.plan(now: 10)?.validators == nil)
        // A page of known items doesn't end it, and a restart forgets nothing.
        try run.read(Self.report(["a"], next: .url("https://h/2"), new: 0), now: 10)
        #expect(run.machine.state.walk?.fetchesMissing == true && run.machine.state.lastStop == nil)
        let again = Run(try Self.recipe(), state: run.machine.state, now: 11)
        #expect(again.machine.state.walk?.fetchesMissing == true)
        // The next walk is as all are.
        try run.read(Self.report(["b"], next: .end, new: 0), now: 10)
        run.machine.poll(now: 20)
        #expect(run.machine.state.walk?.fetchesMissing != true)
    }

    /// A machine with a generator of its own, so that a test reads as a list of events.
    private final class Run {
        var machine: SourceMachine
        var generator: SeededGenerator

        init(
            _ recipe: Recipe,
            state: SourceState = SourceState(),
            slices: [String: SliceMemory] = [:],
            now: Double = 0
        ) {
            var generator = SeededGenerator(seed: 1)
            machine = SourceMachine(recipe, state: state, slices: slices, now: now, using: &generator)
            self.generator = generator
        }

        func plan(unfinished: Int = 0, now: Double = 0) -> PagePlan? {
            if case .read(let plan) = machine.next(unfinished: unfinished, now: now) { plan } else { nil }
        }

        /// Reads the page that is next.
        func read(_ report: PageReport, now: Double = 0, etag: String? = nil) throws {
            let next = self.plan(now: now)
            let plan = try #require(next)
            var response = SourceMachine.Response()
            response.head.etag = etag
            machine.pageRead(report, response, at: plan.cursor, now: now, using: &generator)
        }

        /// Reads the list of slices.
        func list(_ slices: [Slice], now: Double = 0, etag: String? = nil) {
            _ = plan(now: now)
            var response = SourceMachine.Response()
            response.head.etag = etag
            machine.manifestRead(slices, response, now: now, using: &generator)
        }

        func fail(_ failure: SourceFailure, now: Double = 0) {
            machine.failed(failure, now: now, using: &generator)
        }
    }

    @Test("It asks page after page, rests until its next walk, and begins that when it is due")
    func walks() throws {
        let run = Run(try Self.recipe())
        try run.read(Self.report(["a", "b"], next: .url("https://h/2")))
        #expect(run.plan()?.cursor.place == .url("https://h/2"))
        try run.read(Self.report(["c"], next: .end))
        guard case .idle(let until) = run.machine.state.activity else { return #expect(Bool(false)) }
        #expect((3240...3960).contains(until))
        #expect(run.machine.next(unfinished: 0, now: 10) == .rest(until: until))
        #expect(run.plan(now: until)?.cursor == .start)
        #expect(run.machine.state.walks == 2)
    }

    @Test("It holds while enough of its jobs are queued or downloading, and for no other reason")
    func holds() throws {
        let run = Run(try Self.recipe { $0.ahead = 10 })
        try run.read(Self.report(["a", "b", "c", "d"], next: .url("https://h/2")))
        #expect(run.machine.next(unfinished: 7, now: 0) == .hold(until: nil))
        #expect(run.plan(unfinished: 6) != nil)
    }

    @Test("A lazy source reads one page at least for each time that somebody asks")
    func lazy() throws {
        let run = Run(
            try Self.recipe { recipe in
                recipe.mode = .lazy
                recipe.ahead = 2
            }
        )
        try run.read(Self.report(["a", "b", "c"], next: .url("https://h/2")))
        guard case .hold(let until?) = run.machine.next(unfinished: 0, now: 0) else {
            return #expect(Bool(false))
        }
        #expect((3240...3960).contains(until))
        run.machine.more()
        try run.read(Self.report(["d"], next: .url("https://h/3")))
        #expect(run.plan() != nil)
    }

    /// A lazy list that is held at its third page.
    private static func held(_ change: (inout Recipe) -> Void = { _ in }) throws -> Run {
        let run = Run(
            try recipe { recipe in
                recipe.mode = .lazy
                recipe.ahead = 4
                change(&recipe)
            }
        )
        try run.read(report(["d", "c"], next: .url("https://h/2")))
        try run.read(report(["b", "a"], next: .url("https://h/3")))
        guard case .hold = run.machine.next(unfinished: 0, now: 0) else {
            throw SourceFailure(.connection, "")
        }
        return run
    }

    @Test("A lazy list that is held is looked at for new items, by a poll or in time, and held where it was")
    func looks() throws {
        let run = try Self.held()
        for now in [10.0, 100_000] {
            if now == 10 { run.machine.poll(now: now) }
            #expect(run.plan(now: now)?.cursor == .start)
            // A poll joins it.
            run.machine.poll(now: now)
            try run.read(Self.report(["e", "d"], next: .url("https://h/2"), new: 1), now: now)
            // A restart in the middle changes nothing.
            let again = Run(run.machine.recipe, state: run.machine.state, now: now)
            for run in [again, run] {
                #expect(run.plan(now: now)?.cursor.place == .url("https://h/2"))
                try run.read(Self.report(["c", "b"], next: .url("https://h/3"), new: 0), now: now)
                try run.read(Self.report(["a", "0"], next: .url("https://h/4"), new: 0), now: now)
                guard case .hold(let next?) = run.machine.next(unfinished: 0, now: now) else {
                    return #expect(Bool(false))
                }
                #expect(next > now)
                #expect(run.machine.state.walk?.cursor.place == .url("https://h/3"))
            }
        }
        run.machine.more()
        #expect(run.plan(now: 100_000)?.cursor.place == .url("https://h/3"))
        try run.read(Self.report(["0"], next: .end), now: 100_000)
        #expect(run.machine.state.lastStop == .lastPage && run.machine.state.hasCompleted)
        // Without a time only a poll looks.
        let never = try Self.held { $0.every = nil }
        #expect(never.machine.next(unfinished: 0, now: 1e9) == .hold(until: nil))
        never.machine.poll(now: 1)
        #expect(never.plan(now: 1)?.cursor == .start)
    }

    @Test("A look that meets very many new items is held itself, and passes none of them")
    func longLook() throws {
        let run = try Self.held { $0.order = .newestFirst }
        run.machine.poll(now: 1)
        try run.read(Self.report(["z", "y"], next: .url("https://h/2")), now: 1)
        try run.read(Self.report(["x", "w"], next: .url("https://h/3")), now: 1)
        guard case .hold = run.machine.next(unfinished: 0, now: 1) else { return #expect(Bool(false)) }
        run.machine.more()
        // Known items end nothing, since there are others below them.
        for page in 3..<6 {
            #expect(run.plan(now: 1)?.cursor.place == .url("https://h/\(page)"))
            try run.read(Self.report(["d\(page)"], next: .url("https://h/\(page + 1)"), new: 0), now: 1)
        }
        #expect(run.machine.state.lastStop == nil)
    }

    @Test(
        "A look that fails is made again, and one that a change or a walk for what is missing ends is given up"
    )
    func brokenLook() throws {
        let run = try Self.held()
        run.machine.poll(now: 1)
        run.fail(SourceFailure(.connection, "words"), now: 1)
        run.machine.poll(now: 2)
        #expect(run.plan(now: 2)?.cursor == .start)
        let data = try JSONCoding.encode(run.machine.state)
        #expect(try JSONCoding.decode(SourceState.self, from: data) == run.machine.state)
        _ = run.machine.change(
            try Self.recipe {
                $0.mode = .lazy; $0.ahead = 4; $0.priority = 3
            },
            now: 3
        )
        guard case .hold = run.machine.next(unfinished: 0, now: 3) else { return #expect(Bool(false)) }
        run.machine.poll(now: 4)
        run.machine.poll(fetchesMissing: true, now: 4)
        #expect(run.machine.state.walk?.fetchesMissing == true && run.machine.state.aside == nil)
        // A list that was as short as its front meanwhile is still held where it was.
        let short = try Self.held()
        short.machine.poll(now: 1)
        try short.read(Self.report(["d"], next: .end, new: 0), now: 1)
        #expect(short.machine.state.walk?.cursor.place == .url("https://h/3"))
    }

    @Test("A page that failed is asked for again, at the same cursor, later and later")
    func failures() throws {
        let run = Run(try Self.recipe())
        try run.read(Self.report(["a"], next: .url("https://h/2")))
        run.fail(SourceFailure(.connection, "x"))
        guard case .waiting(let first) = run.machine.state.activity else { return #expect(Bool(false)) }
        #expect(run.machine.next(unfinished: 0, now: 1) == .rest(until: first))
        #expect(run.plan(now: first)?.cursor.place == .url("https://h/2"))
        run.fail(SourceFailure(.connection, "x"), now: first)
        guard case .waiting(let second) = run.machine.state.activity else { return #expect(Bool(false)) }
        #expect(second - first > first)
        // Somebody who asks needn't wait.
        run.machine.poll(now: first)
        #expect(run.plan(now: first)?.cursor.place == .url("https://h/2"))
        try run.read(Self.report(["b"], next: .end), now: first)
        #expect(run.machine.state.failure == nil && run.machine.state.failures == 0)
    }

    @Test("A page that is gone for good ends the source, until a person begins it again")
    func gone() throws {
        let run = Run(try Self.recipe())
        run.fail(SourceFailure(.unexpectedStatus, "x", status: 410))
        #expect(run.machine.state.activity == .ended && run.machine.state.lastStop?.isComplete == false)
        run.machine.poll(now: 5)
        #expect(run.plan(now: 5)?.cursor == .start)
    }

    @Test("Paused, it asks for nothing; resumed, it goes on where it was")
    func pause() throws {
        let run = Run(try Self.recipe())
        try run.read(Self.report(["a"], next: .url("https://h/2")))
        run.machine.pause()
        #expect(run.machine.next(unfinished: 0, now: 0) == .rest(until: nil))
        run.machine.resume()
        #expect(run.plan()?.cursor.place == .url("https://h/2"))
    }

    @Test("After a restart it goes on at its cursor; a poll that was missed is made up for once, soon")
    func restart() throws {
        let run = Run(try Self.recipe())
        try run.read(Self.report(["a"], next: .url("https://h/2")))
        let second = Run(try Self.recipe(), state: run.machine.state, now: 9)
        #expect(second.plan(now: 9)?.cursor.place == .url("https://h/2"))
        #expect(second.machine.state.walk?.wasCutOff == true)
        try second.read(Self.report(["b"], next: .end), now: 9)
        let third = Run(try Self.recipe(), state: second.machine.state, now: 100_000)
        guard case .rest(let until?) = third.machine.next(unfinished: 0, now: 100_000) else {
            return #expect(Bool(false))
        }
        #expect((100_000...100_060).contains(until))
    }

    @Test("Conditions are sent for what says everything, and only with what a complete walk has left")
    func conditions() throws {
        let recipe = try Self.recipe { $0.next = nil }
        let run = Run(recipe)
        #expect(run.plan()?.validators == nil)
        try run.read(Self.report(["a"], next: .absent), etag: "\"1\"")
        run.machine.poll(now: 1)
        let next = run.plan(now: 1)
        let plan = try #require(next)
        #expect(plan.validators?.etag == "\"1\"")
        run.machine.pageUnchanged(SourceMachine.Response(), now: 1, using: &run.generator)
        #expect(run.machine.state.lastStop == .unchanged && run.machine.state.walks == 2)
        // A page with others behind it says nothing of those.
        let paged = Run(try Self.recipe())
        try paged.read(Self.report(["a"], next: .url("https://h/2")), etag: "\"1\"")
        try paged.read(Self.report(["b"], next: .end))
        paged.machine.poll(now: 1)
        #expect(paged.plan(now: 1)?.validators == nil)
    }

    @Test(
        "A page that its server calls unchanged for ever is asked for without a condition when full_every is up"
    )
    func unchangedForEver() throws {
        for kind in [PageKind.json, .csv] {
            let run = Run(
                try Self.recipe {
                    $0.kind = kind; $0.next = nil; $0.fullEvery = 100
                }
            )
            func read(now: Double) throws {
                var response = SourceMachine.Response()
                (response.head.etag, response.sha256) = ("\"1\"", "00")
                let plan = try #require(run.plan(now: now))
                run.machine.pageRead(
                    Self.report(["a"], next: .end),
                    response,
                    at: plan.cursor,
                    now: now,
                    using: &run.generator
                )
            }
            try read(now: 0)
            run.machine.poll(now: 50)
            #expect(run.plan(now: 50)?.validators?.fields.count == 1)
            run.machine.pageUnchanged(SourceMachine.Response(), now: 50, using: &run.generator)
            run.machine.poll(now: 101)
            let plan = try #require(run.plan(now: 101))
            #expect(plan.validators?.fields.isEmpty == true)
            // Equal bytes are equal all the same.
            #expect(plan.mayBeUnchanged && plan.validators?.sha256 == "00")
            try read(now: 101)
            run.machine.poll(now: 150)
            #expect(run.plan(now: 150)?.validators?.fields.count == 1)
        }
    }

    @Test("A page is fresh for as long as it said, also after a 304 that doesn't say it again")
    func freshness() throws {
        let run = Run(try Self.recipe { $0.next = nil })
        _ = run.plan()
        var response = SourceMachine.Response()
        response.head.etag = "\"1\""
        response.head.cacheControl = ["max-age=43200"]
        response.sha256 = "00"
        run.machine.pageRead(
            Self.report(["a"], next: .absent),
            response,
            at: .start,
            now: 0,
            using: &run.generator
        )
        func unchanged(_ answer: SourceMachine.Response) throws -> Double {
            run.machine.poll(now: 1)
            let next = run.plan(now: 1)
            #expect(next?.validators?.etag == "\"1\"")
            run.machine.pageUnchanged(answer, now: 1, using: &run.generator)
            guard case .idle(let until) = run.machine.state.activity else { return 0 }
            return until
        }
        #expect(try unchanged(SourceMachine.Response()) >= 43_201)
        #expect(try unchanged(SourceMachine.Response()) >= 43_201)
        // Equal bytes come with a head of their own, in which nothing is said.
        response.head.cacheControl = []
        #expect(try unchanged(response) < 4000)
        #expect(try unchanged(SourceMachine.Response()) < 4000)
        // A feed's ttl is in the page, which isn't read again.
        let feed = Run(
            try Self.recipe {
                $0.kind = .feed; $0.every = 600; $0.order = .newestFirst
            }
        )
        response.unwanted = 43_200
        _ = feed.plan()
        feed.machine.pageRead(
            Self.report(["a"], next: .end),
            response,
            at: .start,
            now: 0,
            using: &feed.generator
        )
        for answer in [SourceMachine.Response(), response, SourceMachine.Response()] {
            var answer = answer
            answer.unwanted = 0
            feed.machine.poll(now: 1)
            #expect(feed.plan(now: 1)?.validators != nil)
            feed.machine.pageUnchanged(answer, now: 1, using: &feed.generator)
            guard case .idle(let until) = feed.machine.state.activity else { return #expect(Bool(false)) }
            #expect(until >= 43_201)
        }
    }

    @Test("Only slices that have changed since they were read to their end are read again")
    func slices() throws {
        let recipe = try Self.recipe { recipe in
            recipe.slices = SliceRecipe(url: (try? URLTemplate("https://h/m")) ?? .empty, each: ".[]")
            recipe.slices?.changed = ".n"
            recipe.next = nil
        }
        let run = Run(recipe)
        #expect(run.plan()?.part == .manifest)
        let response = SourceMachine.Response()
        run.machine.manifestRead(
            [Slice(key: "1", changed: "5"), Slice(key: "2", changed: "6")],
            response,
            now: 0,
            using: &run.generator
        )
        try run.read(Self.report(["a"], next: .absent))
        #expect(run.machine.takeFinishedSlices().keys.sorted() == ["1"])
        try run.read(Self.report(["b"], next: .absent))
        #expect(run.machine.state.lastStop?.isComplete == true)
        run.machine.poll(now: 10)
        run.machine.manifestRead(
            [Slice(key: "1", changed: "5"), Slice(key: "2", changed: "7")],
            response,
            now: 10,
            using: &run.generator
        )
        #expect(run.plan(now: 10)?.part == .pages(Slice(key: "2", changed: "7")))
    }

    /// A recipe of slices with pages, and what their list says.
    private static func sliced(_ change: (inout Recipe) -> Void = { _ in }) throws -> Recipe {
        try recipe { recipe in
            recipe.slices = SliceRecipe(url: (try? URLTemplate("https://h/m")) ?? .empty, each: ".[]")
            recipe.slices?.changed = ".n"
            change(&recipe)
        }
    }

    @Test("The first page of a changed slice is conditional only where it says all about the slice")
    func slicePages() throws {
        func isConditional(_ change: (inout Recipe) -> Void) throws -> Bool {
            let recipe = try Self.sliced(change)
            let run = Run(recipe)
            run.list([Slice(key: "1", changed: "30")])
            let end: PageReport.Next = recipe.next == nil ? .absent : .end
            try run.read(Self.report(["a"], next: end), etag: "\"1\"")
            #expect(run.machine.state.lastStop == .lastPage)
            run.machine.poll(now: 1)
            run.list([Slice(key: "1", changed: "31")], now: 1)
            let plan = try #require(run.plan(now: 1))
            #expect(plan.part == .pages(Slice(key: "1", changed: "31")))
            return plan.mayBeUnchanged
        }
        #expect(try !isConditional { _ in })
        #expect(
            try !isConditional {
                $0.kind = .s3; $0.next = nil
            }
        )
        #expect(try isConditional { $0.next = nil })
        #expect(try isConditional { $0.order = .newestFirst })
    }

    @Test("A list of slices in rows is conditional only where it says what has changed")
    func manifestOfRows() throws {
        let run = Run(
            try Self.sliced {
                $0.kind = .csv; $0.next = nil; $0.slices?.changed = nil
            }
        )
        run.list([Slice(key: "1")], etag: "\"m\"")
        try run.read(Self.report(["a"], next: .end))
        run.machine.poll(now: 1)
        #expect(run.plan(now: 1)?.part == .manifest && run.plan(now: 1)?.mayBeUnchanged == false)
    }

    @Test("Each slice in rows has a list of its own")
    func listsOfSlices() throws {
        let run = Run(
            try Self.recipe {
                $0.kind = .csv
                $0.next = nil
                $0.variables = [.init("year", .each(["2020", "2021"]))]
            }
        )
        run.machine.listArrived("first", now: 0)
        try run.read(Self.report(["a"], next: .row(RowPosition(bytes: 9, line: 1))))
        #expect(run.machine.state.list == "first")
        try run.read(Self.report(["b"], next: .end))
        #expect(run.machine.state.list == nil)
        #expect(run.plan()?.part == .pages(Slice(key: "year=2021", variables: ["year": "2021"])))
        // Another list in the middle is read from its first row, and the first slice isn't taken for it.
        run.machine.listArrived("second", now: 0)
        try run.read(Self.report(["c"], next: .row(RowPosition(bytes: 9, line: 1))))
        run.machine.listArrived("other", now: 0)
        let plan = try #require(run.plan())
        #expect(plan.part == .pages(Slice(key: "year=2021", variables: ["year": "2021"])))
        #expect(plan.cursor == .start && run.machine.state.list == "other")
        try run.read(Self.report(["d"], next: .end))
        #expect(run.machine.state.lastStop == .lastPage && run.machine.state.list == nil)
    }

    @Test("A walk for what is missing, begun in the middle of a list, reads that list from its first row")
    func missingInRows() throws {
        let run = Run(
            try Self.recipe {
                $0.kind = .csv; $0.next = nil
            }
        )
        run.machine.listArrived("first", now: 0)
        try run.read(Self.report(["a"], next: .row(RowPosition(bytes: 9, line: 1))))
        run.machine.poll(fetchesMissing: true, now: 1)
        #expect(run.machine.state.list == nil && run.plan(now: 1)?.cursor == .start)
        run.machine.listArrived("second", now: 1)
        try run.read(Self.report(["a"], next: .row(RowPosition(bytes: 9, line: 1))), now: 1)
        // Whatever the place was of, it isn't of this list.
        run.machine.listArrived("third", now: 1)
        #expect(run.plan(now: 1)?.cursor == .start)
        #expect(run.machine.state.walk?.fetchesMissing == true && run.machine.state.list == "third")
    }

    @Test("Of a list in rows no more is read than the limit of items")
    func limitOfRows() throws {
        let run = Run(
            try Self.recipe {
                $0.kind = .csv; $0.next = nil; $0.limits.items = 3
            }
        )
        run.machine.listArrived("first", now: 0)
        #expect(run.plan()?.mostItems == 3)
        try run.read(Self.report(["a", "b"], next: .row(RowPosition(bytes: 9, line: 2))))
        #expect(run.plan()?.mostItems == 1)
        try run.read(Self.report(["c"], next: .row(RowPosition(bytes: 12, line: 3))))
        #expect(run.machine.state.lastStop == .limit)
    }

    @Test("The rows that come next are foreseen as they are planned, and nothing else is")
    func rowsAfter() throws {
        var recipe = try Self.recipe {
            $0.kind = .csv; $0.next = nil
        }
        recipe.ahead = 10
        let rows = PageReport.Next.row(RowPosition(bytes: 9, line: 1))
        /// Checks what is foreseen in the middle of a list after another piece, and what is planned then.
        func after(
            _ next: PageReport.Next,
            unfinished: Int = 0,
            _ change: (inout Recipe) -> Void = { _ in }
        ) throws -> (foreseen: PagePlan?, planned: PagePlan?) {
            var recipe = recipe
            change(&recipe)
            let run = Run(recipe)
            run.machine.listArrived("first", now: 0)
            let cursor = try #require(run.plan()).cursor
            let foreseen = run.machine.rows(
                after: Self.report(["a"], next: next),
                SourceMachine.Response(),
                at: cursor,
                unfinished: unfinished,
                now: 0,
                using: &run.generator
            )
            #expect(run.machine.state.walk?.cursor == .start, "Foreseeing changes nothing.")
            try run.read(Self.report(["a"], next: next))
            return (foreseen, run.plan(unfinished: unfinished))
        }
        let on = try after(rows)
        #expect(on.foreseen != nil && on.foreseen == on.planned)
        // The end of the list, as much as is wanted ahead, and another list's beginning.
        #expect(try after(.end).foreseen == nil)
        #expect(try after(rows, unfinished: 10).foreseen == nil)
        let slices = try after(.end) { $0.variables = [.init("year", .each(["2020", "2021"]))] }
        #expect(slices.foreseen == nil && slices.planned?.cursor == .start)
        // A limit that the piece reaches.
        #expect(try after(rows) { $0.limits.items = 1 }.foreseen == nil)
        // What isn't a list in rows has nothing to be read ahead.
        let paged = Run(try Self.recipe())
        let foreseen = paged.machine.rows(
            after: Self.report(["a"], next: .url("https://h/2")),
            SourceMachine.Response(),
            at: .start,
            unfinished: 0,
            now: 0,
            using: &paged.generator
        )
        #expect(foreseen == nil)
    }

    @Test("A list none of whose rows can be read says so at its end, and one that ends badly doesn't")
    func badRows() throws {
        func end(_ bad: [Int]) throws -> SourceMachine {
            let run = Run(
                try Self.recipe {
                    $0.kind = .csv; $0.next = nil
                }
            )
            for (index, count) in bad.enumerated() {
                let isLast = index == bad.count - 1
                var report = Self.report(
                    ["a", "b"],
                    next: isLast ? .end : .row(RowPosition(bytes: index + 1, line: 1))
                )
                report.bad = count
                if count > 0 { report.complaint = "item 1: .url isn't there, only src (\(index))" }
                try run.read(report)
            }
            return run.machine
        }
        #expect(try end([0, 2]).state.failure == nil)
        #expect(try end([0, 2]).state.hasCompleted)
        #expect(try end([2, 2]).state.failure?.code == .unexpectedShape)
        #expect(try end([2, 2]).state.failure?.message.hasSuffix(".url isn't there, only src (0)") == true)
        #expect(try end([2, 2]).state.lastStop == .unreadable)
        #expect(try !end([2, 2]).state.hasCompleted)
    }

    @Test("An index of sitemaps has no record before its sitemaps are read, and is asked for again")
    func indexes() throws {
        let run = Run(
            try Self.recipe {
                $0.kind = .sitemap; $0.next = nil
            }
        )
        func index(_ urls: [String], changed: String?) -> PageReport {
            var index = Self.report([], next: .absent)
            index.children = urls.map { Slice(key: $0, changed: changed, url: $0) }
            return index
        }
        try run.read(index(["https://h/i"], changed: "1"), etag: "\"root\"")
        try run.read(index(["https://h/a", "https://h/b"], changed: nil), etag: "\"i\"")
        try run.read(Self.report(["a"], next: .absent), etag: "\"a\"")
        #expect(run.machine.takeFinishedSlices().keys.sorted() == ["https://h/a"])
        // A restart in the middle finds what is left by the index.
        let again = Run(run.machine.recipe, state: run.machine.state, slices: run.machine.slices, now: 1)
        try again.read(Self.report(["b"], next: .absent), now: 1)
        try again.read(index(["https://h/i"], changed: "1"), now: 1)
        #expect(
            again.plan(now: 1)?.part == .pages(Slice(key: "https://h/i", changed: "1", url: "https://h/i"))
        )
        try again.read(index(["https://h/a", "https://h/b"], changed: nil), now: 1)
        #expect(again.machine.state.lastStop == .lastPage)
    }

    @Test("An unchanged index says nothing where it doesn't say when its sitemaps change")
    func indexWithoutDates() throws {
        let run = Run(
            try Self.recipe {
                $0.kind = .sitemap; $0.next = nil
            }
        )
        var index = Self.report([], next: .absent)
        index.children = [Slice(key: "https://h/a", url: "https://h/a")]
        try run.read(index, etag: "\"1\"")
        try run.read(Self.report(["a"], next: .absent))
        run.machine.poll(now: 1)
        #expect(run.plan(now: 1)?.validators == nil)
    }

    @Test("A pace holds over restarts, and never lets more through than it says")
    func pace() throws {
        let recipe = try Self.recipe { $0.pace = SourcePace("2/m") }
        let run = Run(recipe)
        run.machine.asked(now: 0)
        run.machine.asked(now: 10)
        let second = Run(recipe, state: run.machine.state, now: 20)
        #expect(second.machine.next(unfinished: 0, now: 20) == .rest(until: 60))
        #expect(second.plan(now: 60) != nil)
        var record = PaceRecord()
        let many = try #require(SourcePace("1000/h"))
        for second in 0..<1000 { record.note(many, now: Double(second)) }
        #expect(record.earliest(many, now: 1000) >= 3600)
    }

    @Test("Nothing is waited for since a moment that is still to come")
    func momentsToCome() throws {
        let recipe = try Self.recipe {
            $0.pace = SourcePace("2/m")
            $0.order = .newestFirst
            $0.fullEvery = 3600
        }
        let before = Run(recipe, now: 1e9)
        try before.read(Self.report(["a"], next: .end), now: 1e9)
        before.machine.poll(now: 1e9)
        for _ in 1...2 { before.machine.asked(now: 1e9) }
        before.fail(SourceFailure(.unexpectedStatus, "x", status: 404), now: 1e9)
        // The clock has begun anew.
        let run = Run(recipe, state: before.machine.state, now: 20)
        run.machine.poll(now: 20)
        #expect(run.machine.next(unfinished: 0, now: 20) == .rest(until: 80))
        #expect(run.plan(now: 80) != nil)
        // A page that is missing counts from now on.
        let missing = 20 + FailurePlan.patience
        run.fail(SourceFailure(.unexpectedStatus, "x", status: 404), now: missing)
        guard case .failed = run.machine.state.activity else {
            Issue.record("\(run.machine.state.activity)")
            return
        }
        // So does the last walk that read everything, which follows the one that was cut off.
        run.machine.poll(now: missing)
        for _ in 1...2 { try run.read(Self.report(["a"], next: .end), now: missing) }
        #expect(run.machine.state.memory.isReliable)
        let again = Run(recipe, state: run.machine.state, now: 20)
        again.machine.poll(now: 4000)
        #expect(again.machine.state.walk?.isFull == true)
    }

    @Test("What can't be stored is taken back, but for the requests that were made")
    func takenBack() throws {
        let recipe = try Self.recipe { $0.pace = SourcePace("2/m") }
        let run = Run(recipe)
        let before = run.machine
        run.machine.asked(now: 0)
        run.machine.asked(now: 1)
        run.machine.pageRead(
            Self.report(["a"], next: .end),
            SourceMachine.Response(),
            at: .start,
            now: 1,
            using: &run.generator
        )
        run.machine.takeBack(to: before)
        #expect(run.machine.state.walk?.items == 0 && run.machine.state.lastStop == nil)
        #expect(run.machine.next(unfinished: 0, now: 2) == .rest(until: 60))
    }

    @Test("A recipe that reads something else takes no page for unchanged, and one that doesn't does")
    func changedRecipe() throws {
        for (isOther, change) in [
            (true, { $0.select = ".x" }), (true, { $0.items = ".all[]" }), (true, { $0.job.key = ".id" }),
            (false, { $0.priority = 5 }), (false, { $0.every = 60 }), (false, { $0.limits.pages = 9 }),
        ] as [(Bool, (inout Recipe) -> Void)] {
            let recipe = try Self.recipe { $0.next = nil }
            let run = Run(recipe)
            try run.read(Self.report(["a"], next: .absent), etag: "\"1\"")
            var other = recipe
            change(&other)
            #expect(run.machine.change(other, now: 1) == isOther)
            run.machine.poll(now: 2)
            #expect((run.plan(now: 2)?.validators == nil) == isOther)
        }
    }

    @Test("A recipe that reads something else reads all slices again, the present one from its first page")
    func changedRecipeOfSlices() throws {
        let recipe = try Self.sliced()
        let run = Run(recipe)
        let slices = [Slice(key: "1", changed: "5"), Slice(key: "2", changed: "6")]
        run.list(slices)
        try run.read(Self.report(["a"], next: .end))
        _ = run.machine.takeFinishedSlices()
        try run.read(Self.report(["b"], next: .url("https://h/2")))
        var other = recipe
        other.select = ".x"
        #expect(run.machine.change(other, now: 1) && run.machine.slices.isEmpty)
        #expect(run.plan(now: 1)?.part == .pages(slices[1]) && run.plan(now: 1)?.cursor == .start)
        try run.read(Self.report(["b"], next: .end), now: 1)
        run.list(slices, now: 1)
        #expect(run.plan(now: 1)?.part == .pages(slices[0]))
    }

    @Test("A list is the same while its URLs are, whatever key opens it and whichever slices are wanted")
    func sameList() throws {
        let recipe = try Self.recipe {
            $0.url = (try? URLTemplate("https://h/{rover}/{sol}?k={key}")) ?? .empty
            $0.variables = [
                .init("rover", .text("curiosity")), .init("sol", .each(["1"])),
                .init("key", .secret("a", fallback: nil)), .init("unused", .text("x")),
            ]
        }
        func isSame(_ index: Int, _ value: RecipeVariable.Value) -> Bool {
            var other = recipe
            other.variables[index].value = value
            return recipe.isOfSameList(as: other)
        }
        #expect(!isSame(0, .text("opportunity")))
        #expect(isSame(1, .each(["1", "2"])))
        #expect(isSame(2, .secret("b", fallback: nil)))
        #expect(isSame(3, .text("y")))
    }

    @Test("A reset begins from the first page and forgets what was left")
    func reset() throws {
        let run = Run(try Self.recipe())
        try run.read(Self.report(["a"], next: .url("https://h/2")))
        run.machine.reset(try Self.recipe { $0.priority = 3 }, now: 5)
        #expect(run.plan(now: 5)?.cursor == .start)
        #expect(run.machine.recipe.priority == 3 && run.machine.state.walk?.items == 0)
    }

    @Test("A state comes back from the store as it was written")
    func coding() throws {
        let run = Run(try Self.recipe())
        try run.read(Self.report(["a"], next: .url("https://h/2")), etag: "\"1\"")
        run.fail(SourceFailure(.unexpectedShape, "words", status: 200, excerpt: "x"))
        let data = try JSONCoding.encode(run.machine.state)
        #expect(try JSONCoding.decode(SourceState.self, from: data) == run.machine.state)
    }
}
