import Testing

@testable import SourceCore

@Suite struct SliceTests {
    private let slices = [
        Slice(key: "1", changed: "10"), Slice(key: "2", changed: "20"), Slice(key: "3", changed: "30"),
    ]

    private func recipe(_ change: (inout Recipe) -> Void = { _ in }) -> Recipe {
        WalkTests.recipe {
            $0.slices = SliceRecipe(url: .empty, each: ".[]")
            $0.slices?.changed = ".n"
            change(&$0)
        }
    }

    @Test("Only slices that have changed since a walk read them to their end are walked again")
    func changed() {
        let records = [
            "1": SliceRecord(changed: "10", completedIn: 1), "2": SliceRecord(changed: "19", completedIn: 1),
        ]
        func pending(
            _ slices: [Slice],
            walk: Int = 2,
            order: SliceOrder = .listed,
            rereadsBefore: Int? = nil
        ) -> [String] {
            SlicePlan.pending(
                slices,
                order: order,
                records: records,
                walk: walk,
                rereadsBefore: rereadsBefore
            ).map(\.key)
        }
        #expect(pending(slices) == ["2", "3"])
        #expect(pending(slices, order: .reversed) == ["3", "2"])
        #expect(pending(slices, rereadsBefore: 2) == ["1", "2", "3"])
        #expect(pending(slices, walk: 3, rereadsBefore: 1) == ["2", "3"])
        #expect(pending(slices, walk: 1) == ["3"])
        #expect(pending([Slice(key: "1"), Slice(key: "1")]) == ["1"])
    }

    @Test("A walk reads the list of slices, then each slice from its first page, and ends with the last")
    func walk() {
        var walk = Walk(recipe(), number: 2, memory: WalkMemory(), now: 0)
        #expect(walk.state.part == .manifest)
        #expect(walk.manifestRead(slices, records: [:]) == .page)
        for slice in slices {
            #expect(walk.state.slice == slice)
            #expect(walk.state.cursor == .start)
            let first = WalkTests.page(["\(slice.key)-1", "\(slice.key)-2"])
            #expect(walk.pageRead(first, at: walk.state.cursor) == .page)
            #expect(walk.state.cursor.page == 2)
            let last = WalkTests.page(["\(slice.key)-3"], next: .end)
            #expect(walk.pageRead(last, at: walk.state.cursor) == .sliceDone(slice, .lastPage))
            #expect(walk.nextSlice(after: .lastPage) == (slice.key == "3" ? .done(.lastPage) : .page))
        }
        #expect((walk.state.pages, walk.state.items) == (7, 9))
    }

    @Test("A walk that is cut off within a slice reads the list again afterwards, and only what is left")
    func cutOff() {
        var walk = Walk(recipe(), number: 2, memory: WalkMemory(), now: 0)
        _ = walk.manifestRead(slices, records: [:])
        _ = walk.pageRead(WalkTests.page(["a"], next: .end), at: .start)
        _ = walk.nextSlice(after: .lastPage)
        _ = walk.pageRead(WalkTests.page(["b"]), at: .start)
        walk = Walk(goingOnWith: walk.state, recipe(), records: [:])
        #expect((walk.state.slice?.key, walk.state.cursor.page) == ("2", 2))
        #expect(
            walk.pageRead(WalkTests.page(["c"], next: .end), at: walk.state.cursor)
                == .sliceDone(slices[1], .lastPage)
        )
        #expect(walk.nextSlice(after: .lastPage) == .page)
        #expect(walk.state.part == .manifest)
        let records = [
            "1": SliceRecord(changed: "10", completedIn: 2), "2": SliceRecord(changed: "20", completedIn: 2),
        ]
        #expect(walk.manifestRead(slices, records: records) == .page)
        #expect(walk.state.slice?.key == "3")
    }

    @Test("A list of slices with nothing changed is a complete walk of one page")
    func nothing() {
        var walk = Walk(recipe(), number: 2, memory: WalkMemory(), now: 0)
        #expect(walk.manifestRead([], records: [:]) == .done(.unchanged))
        #expect(walk.state.pages == 1)
    }

    @Test("The bound of pages ends the whole walk, not one slice")
    func limit() {
        var walk = Walk(recipe { $0.limits.pages = 2 }, number: 1, memory: WalkMemory(), now: 0)
        _ = walk.manifestRead(slices, records: [:])
        #expect(walk.pageRead(WalkTests.page(["a"]), at: .start) == .done(.limit))
    }

    /// Reads the slices that a walk has left, a page each, until it ends; keeps their records as the store
    /// does, and the memory for the next walk.
    private static func finish(
        _ given: Walk,
        _ recipe: Recipe,
        _ listed: [Slice],
        _ records: inout [String: SliceRecord],
        _ memory: inout WalkMemory,
        now: Double
    ) -> (read: [String], stop: WalkStop?) {
        var walk = given
        var read: [String] = []
        var step: WalkStep? = walk.manifestRead(listed, records: records)
        while true {
            switch step {
            case .page?: break
            case .done(let stop)?:
                memory = memory.after(walk.state, stop, now: now)
                return (read, stop)
            case .sliceDone(let slice?, let stop)?:
                records[slice.key] = SliceRecord(changed: slice.changed, completedIn: walk.state.number)
                step = walk.nextSlice(after: stop)
                continue
            case .sliceDone(nil, _)?, .listDone?, nil: return (read, nil)
            }
            read.append(walk.state.slice?.key ?? "")
            step = walk.pageRead(WalkTests.page(["k"], next: .end), at: walk.state.cursor)
        }
    }

    @Test("A walk that ended at its limit is followed by one that goes on with the slices that are left")
    func afterLimit() {
        let recipe = recipe { $0.limits.pages = 4 }
        let listed = (1...8).map { Slice(key: "\($0)", changed: "1") }
        var records: [String: SliceRecord] = [:]
        var memory = WalkMemory()
        var read: [[String]] = []
        func walk(_ number: Int, at now: Double) -> WalkStop? {
            let walk = Walk(recipe, number: number, memory: memory, now: now)
            let result = Self.finish(walk, recipe, listed, &records, &memory, now: now)
            read.append(result.read)
            return result.stop
        }
        #expect(walk(1, at: 0) == .limit)
        #expect(walk(2, at: 1) == .limit)
        #expect(walk(3, at: 2) == .lastPage)
        #expect(walk(4, at: 3) == .unchanged)
        #expect(read.flatMap(\.self).sorted() == listed.map(\.key) && read.map(\.count) == [3, 3, 2, 0])
        // All of them are read again from time to time, which takes as many walks.
        let later = 3 + 7 * 86_400.0
        read = []
        #expect(walk(5, at: later) == .limit)
        #expect(walk(6, at: later + 1) == .limit)
        #expect(walk(7, at: later + 2) == .lastPage)
        #expect(walk(8, at: later + 3) == .unchanged)
        #expect(read.flatMap(\.self).sorted() == listed.map(\.key) && read.map(\.count) == [3, 3, 2, 0])
    }

    @Test("A walk that was cut off makes the next one read no slice again that was read to its end")
    func afterCutOff() {
        let recipe = recipe()
        var records: [String: SliceRecord] = [:]
        var memory = WalkMemory()
        let first = Walk(recipe, number: 1, memory: memory, now: 0)
        let cutOff = Walk(goingOnWith: first.state, recipe, records: [:])
        #expect(
            Self.finish(cutOff, recipe, slices, &records, &memory, now: 0) == (["1", "2", "3"], .lastPage)
        )
        #expect(!memory.isReliable)
        let next = Walk(recipe, number: 2, memory: memory, now: 1)
        #expect(Self.finish(next, recipe, slices, &records, &memory, now: 1) == ([], .unchanged))
    }

    @Test("Several ranges multiply, the last changing fastest")
    func ranges() {
        var recipe = WalkTests.recipe()
        recipe.variables = [
            .init("a", .each(["1", "2"])), .init("x", .text("y")), .init("b", .each(["3", "4"])),
        ]
        #expect(SlicePlan.ranges(of: recipe).map(\.key) == ["a=1&b=3", "a=1&b=4", "a=2&b=3", "a=2&b=4"])
        #expect(SlicePlan.ranges(of: recipe)[2].variables == ["a": "2", "b": "3"])
        var walk = Walk(recipe, number: 1, memory: WalkMemory(), now: 0)
        var read: [String] = []
        while let slice = walk.state.slice {
            read.append(slice.key)
            #expect(
                walk.pageRead(WalkTests.page(["k"], next: .end), at: .start) == .sliceDone(slice, .lastPage)
            )
            guard walk.nextSlice(after: .lastPage) == .page else { break }
            walk = Walk(
                goingOnWith: walk.state,
                recipe,
                records: Dictionary(
                    uniqueKeysWithValues: read.map { ($0, SliceRecord(changed: nil, completedIn: 1)) }
                )
            )
        }
        #expect(read == ["a=1&b=3", "a=1&b=4", "a=2&b=3", "a=2&b=4"])
    }

    @Test("An index of sitemaps becomes a walk over them, also after a crash")
    func index() {
        let recipe = WalkTests.recipe {
            $0.kind = .sitemap
            $0.next = nil
        }
        var index = WalkTests.page([], next: .absent)
        index.children = ["a", "b"].map {
            Slice(key: "https://h/\($0)", changed: "2026", url: "https://h/\($0)")
        }
        var walk = Walk(recipe, number: 1, memory: WalkMemory(), now: 0)
        #expect(walk.pageRead(index, at: .start) == .sliceDone(nil, .lastPage))
        #expect(walk.nextSlice(after: .lastPage) == .page)
        #expect(walk.state.slice?.url == "https://h/a")
        walk = Walk(goingOnWith: walk.state, recipe, records: [:])
        #expect(
            walk.pageRead(WalkTests.page(["x"], next: .absent), at: .start)
                == .sliceDone(index.children[0], .lastPage)
        )
        #expect(walk.nextSlice(after: .lastPage) == .page)
        #expect(walk.state.part == .pages(nil))
        let records = ["https://h/a": SliceRecord(changed: "2026", completedIn: 1)]
        #expect(walk.pageRead(index, at: .start, records: records) == .sliceDone(nil, .lastPage))
        #expect(walk.nextSlice(after: .lastPage) == .page)
        #expect(walk.state.slice?.url == "https://h/b")
        #expect(
            walk.pageRead(WalkTests.page(["y"], next: .absent), at: .start)
                == .sliceDone(index.children[1], .lastPage)
        )
        #expect(walk.nextSlice(after: .lastPage) == .done(.lastPage))
    }

    @Test("An index that names itself ends")
    func selfIndex() {
        let recipe = WalkTests.recipe {
            $0.kind = .sitemap; $0.next = nil
        }
        var index = WalkTests.page([], next: .absent)
        index.children = [Slice(key: "https://h/i", url: "https://h/i")]
        var walk = Walk(recipe, number: 1, memory: WalkMemory(), now: 0)
        _ = walk.pageRead(index, at: .start)
        #expect(walk.nextSlice(after: .lastPage) == .page)
        _ = walk.pageRead(index, at: .start)
        #expect(walk.nextSlice(after: .lastPage) == .done(.lastPage))
    }

    /// An index of sitemaps, as a page.
    private static func index(_ urls: [String], changed: String? = "2026") -> PageReport {
        var index = WalkTests.page([], next: .absent)
        index.children = urls.map { Slice(key: $0, changed: changed, url: $0) }
        return index
    }

    private static func sitemap(_ pages: Int = 1000) -> Recipe {
        WalkTests.recipe {
            $0.kind = .sitemap
            $0.next = nil
            $0.limits.pages = pages
        }
    }

    @Test("Of an index with more sitemaps than the limit, no more are kept, and the walk ends at its limit")
    func longIndex() {
        var walk = Walk(Self.sitemap(4), number: 1, memory: WalkMemory(), now: 0)
        _ = walk.pageRead(Self.index((0..<5000).map { "https://h/\($0)" }), at: .start)
        #expect(walk.pending?.count == 4)
        #expect(walk.nextSlice(after: .lastPage) == .page)
        // One that lists others again adds none of those.
        _ = walk.pageRead(Self.index((0..<5000).map { "https://h/\($0)" }), at: .start)
        #expect(walk.pending?.count == 3)
        var steps: [WalkStep] = []
        while walk.nextSlice(after: .lastPage) == .page, steps.count < 9 {
            steps.append(walk.pageRead(WalkTests.page(["k"], next: .absent), at: .start) ?? .page)
        }
        #expect(steps.count == 2 && walk.nextSlice(after: .lastPage) == .done(.limit))
    }

    @Test("Indexes that list each other end")
    func indexesInACircle() {
        var walk = Walk(Self.sitemap(), number: 1, memory: WalkMemory(), now: 0)
        var read = 0
        _ = walk.pageRead(Self.index(["https://h/a"]), at: .start)
        while walk.nextSlice(after: .lastPage) == .page, read < 9 {
            read += 1
            let isFirst = walk.state.slice?.key == "https://h/a"
            _ = walk.pageRead(Self.index([isFirst ? "https://h/b" : "https://h/a"]), at: .start)
        }
        #expect(read == 2)
    }
}
