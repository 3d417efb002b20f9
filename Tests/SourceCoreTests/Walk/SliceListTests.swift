import TestSupport
import Testing

@testable import SourceCore

extension Walk {
    /// Reads a list of slices that has one page.
    mutating func manifestRead(_ slices: [Slice], records: [String: SliceRecord]) -> WalkStep {
        manifestRead(SliceList(slices), records: records)
    }
}

extension SourceMachine {
    /// Reads a list of slices that has one page.
    mutating func manifestRead(
        _ slices: [Slice],
        _ response: Response,
        now: Double,
        using generator: inout some RandomNumberGenerator
    ) {
        manifestRead(SliceList(slices), response, now: now, using: &generator)
    }
}

/// Lists of slices in pages, and within slices.
@Suite struct SliceListTests {
    /// A server with such lists.
    private struct World {
        /// The pages of the list, each with its slices.
        var pages: [[String]]
        /// The same of the lists that slices have; empty where there are none.
        var inner: [String: [[String]]] = [:]
        /// The slices that are never there.
        var missing: Set<String> = []
        /// The values of `changed`.
        var changed: [String: String] = [:]

        /// The keys of all slices that have pages, as the source knows them.
        var all: [String] {
            pages.joined().flatMap { key in
                inner.isEmpty ? [key] : (inner[key] ?? []).joined().map { "\(key) > \($0)" }
            }
        }

        func list(_ plan: PagePlan) -> SliceList {
            let number = if case .url(let url) = plan.cursor.place { Int(url.dropFirst(10)) ?? 0 } else { 0 }
            let pages = plan.part.slice.map { inner[$0.key] ?? [] } ?? pages
            guard pages.indices.contains(number) else { return SliceList([], next: .end) }
            let next = number + 1 < pages.count ? PageReport.Next.url("https://h/\(number + 1)") : .end
            return SliceList(pages[number].map { Slice(key: $0, changed: changed[$0]) }, next: next)
        }
    }

    private static func recipe(isNested: Bool, _ change: (inout Recipe) -> Void = { _ in }) -> Recipe {
        WalkTests.recipe { recipe in
            var list = SliceRecipe(url: .empty, each: ".[]")
            list.next = .expression(".next")
            list.changed = ".changed"
            if isNested { list.slices = list }
            recipe.slices = list
            recipe.next = nil
            recipe.every = 3600
            recipe.limits.pages = 100_000
            change(&recipe)
        }
    }

    /// A source that is run against such a server.
    private final class Run {
        var machine: SourceMachine
        var generator: SeededGenerator
        let recipe: Recipe
        var stored: [String: SliceMemory] = [:]
        var now = 0.0
        /// The slices whose pages were read, in this order.
        var read: [String] = []
        /// Pages of lists that were asked for.
        var lists = 0

        init(_ recipe: Recipe, seed: UInt64 = 1) {
            self.recipe = recipe
            generator = SeededGenerator(seed: seed)
            machine = SourceMachine(recipe, now: 0, using: &generator)
        }

        var walk: WalkState? { machine.state.walk }

        /// Takes a step; returns false where the source rests until its next walk.
        func step(_ world: World, fails: (PagePlan) -> Int? = { _ in nil }) -> Bool {
            switch machine.next(unfinished: 0, now: now) {
            case .rest(let until?):
                guard machine.state.lastStop == nil else { return false }
                now = until
            case .rest(nil), .hold: return false
            case .read(let plan):
                answer(plan, world, fails(plan))
            }
            stored.merge(machine.takeFinishedSlices()) { $1 }
            return true
        }

        private func answer(_ plan: PagePlan, _ world: World, _ status: Int?) {
            if let status {
                let failure = SourceFailure(.unexpectedStatus, "no", status: status)
                machine.failed(failure, at: "https://h/x", now: now, using: &generator)
            } else if plan.part.isList {
                lists += 1
                machine.manifestRead(
                    world.list(plan),
                    SourceMachine.Response(),
                    at: plan.cursor,
                    now: now,
                    using: &generator
                )
            } else {
                let key = plan.part.slice?.key ?? ""
                read.append(key)
                let page = WalkTests.page([key], next: .absent)
                let response = SourceMachine.Response()
                machine.pageRead(page, response, at: plan.cursor, now: now, using: &generator)
            }
        }

        /// Walks to the end of the walk.
        func finish(_ world: World, fails: (PagePlan) -> Int? = { _ in nil }) {
            for _ in 0..<100_000 where !step(world, fails: fails) { return }
        }

        /// Begins the next walk.
        func poll() {
            machine.poll(now: now)
            (read, lists) = ([], 0)
        }

        /// Comes back after the daemon was killed.
        func kill() throws {
            let state = try JSONCoding.decode(SourceState.self, from: try JSONCoding.encode(machine.state))
            #expect(state == machine.state)
            machine = SourceMachine(recipe, state: state, slices: stored, now: now, using: &generator)
        }
    }

    private static let flat = World(pages: [["a", "b"], ["c"], ["d", "e"]])
    private static let nested = World(
        pages: [["x", "y"], ["z"]],
        inner: ["x": [["1", "2"], ["3"]], "y": [["1"]], "z": [["1"], ["2", "3"]]]
    )

    @Test("The slices of each page of a list are walked before its next page is read")
    func pages() {
        let run = Run(Self.recipe(isNested: false))
        run.finish(Self.flat)
        #expect(run.read == ["a", "b", "c", "d", "e"] && run.lists == 3)
        #expect(run.machine.state.lastStop == .lastPage && run.walk?.goodSlices == 5)
    }

    @Test("Slices within slices are walked one after the other, known by both keys")
    func nesting() {
        let run = Run(Self.recipe(isNested: true))
        run.finish(Self.nested)
        #expect(run.read == ["x > 1", "x > 2", "x > 3", "y > 1", "z > 1", "z > 2", "z > 3"])
        #expect(run.lists == 7 && run.machine.state.lastStop == .lastPage)
        let parent = Slice(key: "a>b", variables: ["n": "1", "m": "2"])
        let slice = Slice(key: "c", variables: ["n": "3"]).within(parent)
        #expect(slice.key == "a%3Eb > c" && slice.variables == ["n": "3", "m": "2"])
    }

    @Test("A slice that hasn't changed is skipped with all that are in it, once they were read to their end")
    func unchanged() {
        var world = Self.nested
        for key in ["x", "y", "z", "1", "2", "3"] { world.changed[key] = "1" }
        let run = Run(Self.recipe(isNested: true))
        run.finish(world) { $0.part.slice?.key == "z > 2" ? 404 : nil }
        #expect(run.walk?.badSlices?.named.map(\.key) == ["z > 2"] && run.machine.state.lastStop == .lastPage)
        run.poll()
        world.changed["y"] = "2"
        run.finish(world)
        // x is left alone, y is looked at, and so is z, of which a slice is missing.
        #expect(run.read == ["z > 2"] && run.lists == 5)
        run.poll()
        run.finish(world)
        #expect(run.read.isEmpty && run.lists == 2 && run.machine.state.lastStop == .unchanged)
    }

    @Test("A list within a slice that can't be read costs that slice; that of the source waits")
    func failures() {
        let run = Run(Self.recipe(isNested: true))
        run.finish(Self.nested) { $0.part.slice?.key == "x" ? 404 : nil }
        #expect(run.read == ["y > 1", "z > 1", "z > 2", "z > 3"])
        #expect(run.walk?.badSlices?.named.map(\.key) == ["x"] && run.machine.state.lastStop == .lastPage)
        #expect(run.machine.slices["x"] == nil && run.machine.slices["y"] != nil)
        let other = Run(Self.recipe(isNested: true))
        _ = other.step(Self.nested) { _ in 503 }
        guard case .waiting = other.machine.state.activity else { return #expect(Bool(false)) }
        other.finish(Self.nested)
        #expect(other.read.count == 7)
    }

    @Test(
        "However often it is killed and whatever fails, each slice is read, once, and the missing ones are told",
        arguments: 0..<60 as Range<UInt64>
    )
    func kills(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let isNested = seed.isMultiple(of: 2)
        func keys(_ most: Int) -> [[String]] {
            var number = 0
            return (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                (0..<Int.random(in: 0...most, using: &generator)).map { _ in
                    number += 1
                    return "\(number)"
                }
            }
        }
        var world = World(pages: keys(3))
        if isNested { for key in world.pages.joined() { world.inner[key] = keys(2) } }
        world.missing = Set(world.all.filter { _ in Int.random(in: 0..<6, using: &generator) == 0 })
        let run = Run(Self.recipe(isNested: isNested), seed: seed)
        var steps = 0
        while steps < 10_000 {
            steps += 1
            if Int.random(in: 0..<4, using: &generator) == 0 { try run.kill() }
            let isTroubled = Int.random(in: 0..<5, using: &generator) == 0
            let goesOn = run.step(world) { plan in
                if !plan.part.isList, let key = plan.part.slice?.key, world.missing.contains(key) {
                    return 404
                }
                // Five in a row would cost a slice.
                return isTroubled && run.machine.state.failures < 3 ? 503 : nil
            }
            guard goesOn else { break }
        }
        let stop = run.machine.state.lastStop
        #expect(run.read.sorted() == world.all.filter { !world.missing.contains($0) }.sorted())
        #expect(Set(run.walk?.badSlices?.named.map(\.key) ?? []) == world.missing)
        let hasOnlyMissing = !world.missing.isEmpty && world.missing.count == world.all.count
        #expect(hasOnlyMissing ? stop == .slicesFailed : stop?.isComplete == true, "\(stop as Any) \(world)")
    }

    @Test(
        "What kills, polls and failures have a walk leave out is read by a later one, though nothing has changed",
        arguments: 0..<100 as Range<UInt64>
    )
    func laterWalks(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let keys = { (0..<5).map { (page: Int) in (0..<2).map { "\(2 * page + $0)" } } }
        var world = World(pages: [["x"], ["y", "z"]], inner: ["x": keys(), "y": keys(), "z": keys()])
        for key in world.all + ["x", "y", "z"] + keys().joined() { world.changed[key] = "1" }
        let run = Run(Self.recipe(isNested: true), seed: seed)
        for _ in 0..<10_000 {
            if Int.random(in: 0..<9, using: &generator) == 0 { try run.kill() }
            if run.machine.state.failures > 0, Bool.random(using: &generator) {
                run.machine.poll(now: run.now)
            }
            let failure = [404, 503].randomElement(using: &generator)
            let fails = Int.random(in: 0..<6, using: &generator) == 0
            guard run.step(world, fails: { $0.part.slice != nil && fails ? failure : nil }) else { break }
        }
        let read = run.read
        run.poll()
        run.finish(world)
        #expect(Set(read + run.read) == Set(world.all) && run.machine.state.lastStop?.isComplete == true)
    }

    @Test(
        "A list that goes round, or never brings anything new, ends; one that has its first page next is read"
    )
    func endless() {
        let list = { (keys: [String], next: String) in
            SliceList(keys.map { Slice(key: $0) }, next: .url("https://h/\(next)"))
        }
        /// What ended a walk, and the number of pages of the list.
        func read(_ pages: (Int) -> SliceList) -> String {
            var walk = Walk(Self.recipe(isNested: false), number: 1, memory: WalkMemory(), now: 0)
            var records: [String: SliceRecord] = [:]
            for number in 0..<100 {
                var step = walk.manifestRead(pages(number), records: records, from: "https://h/0")
                while step == .page, !walk.state.part.isList {
                    let page = WalkTests.page(["k"], next: .absent)
                    guard case .sliceDone(let slice?, let stop)? = walk.pageRead(page, at: .start) else {
                        break
                    }
                    records[slice.key] = SliceRecord(changed: nil, completedIn: 1)
                    step = walk.nextSlice(after: stop)
                }
                if case .done(let stop) = step { return "\(stop.rawValue) \(number + 1)" }
            }
            return "none"
        }
        #expect(read { list(["\($0)"], "0") } == "last_page 1")
        #expect(read { list(["a"], "\($0 + 1)") } == "no_progress 4")
        #expect(read { _ in list([], "x") } == "unchanged 2")
        #expect(read { list([], "\($0 + 1)") } == "no_progress 3")
        #expect(read { list($0 < 2 ? [] : ["\($0)"], $0 < 4 ? "\($0 + 1)" : "0") } == "last_page 5")
    }

    @Test("Slices without slices of their own are no sign that a list goes round")
    func emptyLists() {
        let inner = ["a": [], "b": [[]], "c": [], "d": [[], ["1"]], "e": [["1"]]] as [String: [[String]]]
        let run = Run(Self.recipe(isNested: true))
        run.finish(World(pages: [["a", "b"], ["c", "d"], ["e"]], inner: inner))
        #expect(run.read == ["d > 1", "e > 1"] && run.machine.state.lastStop == .lastPage)
    }

    @Test("The limit of pages holds for lists, too")
    func limit() {
        let run = Run(Self.recipe(isNested: true) { $0.limits.pages = 5 })
        run.finish(Self.nested)
        #expect(run.machine.state.lastStop == .limit && run.walk?.pages == 5)
    }

    @Test("Where a list of slices is counted, a page behind its end is the end; elsewhere it is an error")
    func pastEnd() {
        let counted = Run(
            Self.recipe(isNested: false) { $0.slices?.next = .expression("{page: ($page + 1)}") }
        )
        let fails = { (plan: PagePlan) -> Int? in plan.part.isList && plan.cursor.page == 3 ? 404 : nil }
        counted.finish(Self.flat, fails: fails)
        #expect(counted.read == ["a", "b", "c"] && counted.machine.state.lastStop?.isComplete == true)
        #expect(counted.walk?.end == ListEnd(status: 404, page: 3))
        let named = Run(Self.recipe(isNested: false))
        while named.machine.state.failures == 0 { _ = named.step(Self.flat, fails: fails) }
        guard case .waiting = named.machine.state.activity else { return #expect(Bool(false)) }
    }

    @Test("A poll reads the page of the list again at which it is, and no slice twice")
    func polled() {
        let run = Run(Self.recipe(isNested: true))
        while run.read.count < 2 { _ = run.step(Self.nested) }
        _ = run.step(Self.nested) { _ in 503 }
        run.machine.poll(now: run.now)
        run.finish(Self.nested)
        #expect(run.read == ["x > 1", "x > 2", "x > 3", "y > 1", "z > 1", "z > 2", "z > 3"])
    }

    @Test("Pages of a list within a slice that a poll has read again don't count as ones that bring nothing")
    func polledLate() {
        let pages = (1...5).map { ["\($0)"] }
        let world = World(pages: [["x", "y"]], inner: ["x": pages, "y": pages])
        let run = Run(Self.recipe(isNested: true))
        while run.read.count < 4 { _ = run.step(world) }
        while run.machine.state.failures == 0 { _ = run.step(world) { $0.part.isList ? nil : 503 } }
        run.machine.poll(now: run.now)
        run.finish(world)
        #expect(run.read == world.all && run.machine.state.lastStop == .lastPage)
    }

    @Test("Only the first page of a list of one page is asked for with a condition")
    func conditions() {
        for isNested in [false, true] {
            let run = Run(Self.recipe(isNested: isNested))
            run.finish(isNested ? Self.nested : Self.flat)
            run.poll()
            for _ in 0..<10 {
                guard case .read(let plan) = run.machine.next(unfinished: 0, now: run.now) else { break }
                #expect(!plan.part.isList || !plan.mayBeUnchanged && plan.validators == nil)
                _ = run.step(isNested ? Self.nested : Self.flat)
            }
        }
    }
}
