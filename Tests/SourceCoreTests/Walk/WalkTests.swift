import Testing

@testable import SourceCore

@Suite struct WalkTests {
    static func recipe(_ change: (inout Recipe) -> Void = { _ in }) -> Recipe {
        var recipe = Recipe(name: "w", url: .empty)
        recipe.items = ".[]"
        recipe.next = .expression(".next")
        change(&recipe)
        return recipe
    }

    /// A page with these keys.
    static func page(
        _ keys: [String],
        new: Int? = nil,
        newToWalk: Int? = nil,
        next: PageReport.Next = .url("https://h/next"),
        more: Bool? = nil,
        total: Int? = nil
    ) -> PageReport {
        PageReport(
            listed: keys.count,
            new: new ?? keys.count,
            newToWalk: newToWalk ?? keys.count,
            fingerprint: PageFingerprint(keys: keys),
            next: next,
            more: more,
            total: total
        )
    }

    /// A walk over pages until it ends, with what ended it.
    static func run(
        _ recipe: Recipe,
        memory: WalkMemory = WalkMemory(),
        _ pages: [PageReport]
    ) -> (stop: WalkStop?, read: Int) {
        var walk = Walk(recipe, number: 1, memory: memory, now: 0)
        for (index, page) in pages.enumerated() {
            switch walk.pageRead(page, at: walk.state.cursor) {
            case .page?: continue
            case .done(let stop)?, .sliceDone(_, let stop)?, .listDone(_, _, let stop)?:
                return (stop, index + 1)
            case nil: return (nil, index)
            }
        }
        return (nil, pages.count)
    }

    static func keys(_ range: Range<Int>) -> [String] { range.map { "k\($0)" } }

    static let ten = keys(0..<10)
    static let twenty = keys(10..<20)
    static let lazy = recipe { $0.limits.pages = 2 }

    @Test(
        "A walk stops for the first reason that holds",
        arguments: [
            ([page(ten, next: .end)], .lastPage), ([page(ten, next: .absent)], .lastPage),
            ([page(ten, next: .end, more: true)], .lastPage), ([page(ten, more: false)], .noMore),
            ([page(ten, more: true), page([], more: true)], .emptyPage),
            ([page(ten), page(ten, newToWalk: 0)], .samePage),
            (
                // MediaWiki repeats the same keys while it goes on with their properties.
                [page(ten, next: .url("https://h/2"))]
                    + (3...5).map { page(ten, newToWalk: 0, next: .url("https://h/\($0)")) },
                .noProgress
            ),
            (
                // Bluesky and OneDrive have empty pages that name the next one.
                [
                    page(ten, next: .url("https://h/2")), page([], next: .url("https://h/3")),
                    page([], next: .url("https://h/4")), page(twenty, next: .end),
                ],
                .lastPage
            ),
            (
                [page(ten, next: .url("https://h/2"))]
                    + (3...5).map { page([], next: .url("https://h/\($0)")) },
                .noProgress
            ),
            (
                // New items in front have moved the list on by a page, twice.
                [
                    page(ten, next: .url("https://h/2")), page(ten, newToWalk: 0, next: .url("https://h/3")),
                    page(ten, newToWalk: 0, next: .url("https://h/4")),
                    page(twenty, next: .url("https://h/5")),
                    page(keys(30..<40), next: .end),
                ],
                .lastPage
            ),
            ([page(ten, total: 15), page(keys(10..<15), total: 15), page([], total: 15)], .emptyPage),
            ([page(ten, total: 15), page(keys(10..<15), total: 15)], nil),
            (
                [
                    page(ten), page(keys(1..<11), newToWalk: 0), page(keys(2..<12), newToWalk: 0),
                    page(ten, newToWalk: 0),
                ],
                .noProgress
            ),
            ([page(ten, more: true), page(twenty, more: true, total: 5)], nil),
        ] as [([PageReport], WalkStop?)]
    )
    func stops(_ pages: [PageReport], _ stop: WalkStop?) {
        let result = Self.run(Self.recipe(), pages)
        #expect(result.stop == stop)
        #expect(result.read == pages.count)
    }

    @Test(
        "Where the recipe counts, an empty page is the end, unless the page says that there are more",
        arguments: [
            ("{page: ($page + 1)}", nil, .emptyPage),
            ("\"/list?offset=\\($offset + $count)\"", nil, .emptyPage),
            ("{page: (.page + 1)}", nil, .emptyPage), ("{page: ($page + 1)}", true, nil), (".next", nil, nil),
            ("\"?after=\" + .cursor", nil, nil),
            // Names and texts that only look like it.
            (".pageInfo as $pageInfo | $pageInfo.next", nil, nil), ("\"?n=1+1&after=\" + .cursor", nil, nil),
            (".next # not $page", nil, nil), ("\"/a\\(\")\" | .[1:])?p=\\($page)\"", nil, .emptyPage),
        ] as [(String, Bool?, WalkStop?)]
    )
    func counting(_ next: String, _ more: Bool?, _ stop: WalkStop?) {
        let recipe = Self.recipe { $0.next = .expression(next) }
        let pages = [
            Self.page(Self.ten, next: .url("https://h/2"), more: more),
            Self.page([], next: .url("https://h/3"), more: more),
        ]
        #expect(Self.run(recipe, pages).stop == stop)
    }

    @Test(
        "A posted body counts by its own values, and not by the variables of a query in a text",
        arguments: [
            ("{page: $page}", true), ("{from: ($offset + 1)}", true), ("{q: \"p=\\($page)\"}", true),
            ("{query: \"query($count: Int, $after: String) { a }\", variables: {after: $next}}", false),
        ]
    )
    func countingBody(_ body: String, _ isCounted: Bool) {
        let recipe = Self.recipe {
            $0.next = .expression(".next")
            $0.request = PostRecipe(body: body)
        }
        #expect(recipe.countsPages == isCounted)
    }

    @Test(
        "A server that has its last page for whatever is behind it is read to its end; one that has one page isn't"
    )
    func lastPageRepeated() {
        let counted = Self.recipe { $0.next = .expression("{page: ($page + 1)}") }
        func pages(_ first: [PageReport], _ number: Int) -> [PageReport] {
            first + (0..<3).map { Self.page(Self.ten, newToWalk: 0, next: .url("https://h/\(number + $0)")) }
        }
        let two = [
            Self.page(Self.twenty, next: .url("https://h/2")), Self.page(Self.ten, next: .url("https://h/3")),
        ]
        #expect(Self.run(counted, pages(two, 4)) == (.samePage, 5))
        #expect(
            Self.run(counted, pages([Self.page(Self.ten, next: .url("https://h/2"))], 3)) == (.noProgress, 4)
        )
    }

    @Test("The next body is another page, unless it is the same; one that is counted is another each time")
    func bodies() {
        func page(_ keys: [String], _ next: String) -> PageReport {
            Self.page(keys, next: .post(url: nil, next: next))
        }
        let cursor = Self.recipe { $0.request = PostRecipe(body: "{after: $next}") }
        #expect(Self.run(cursor, [page(Self.ten, "1"), page([], "2"), page(Self.twenty, "3")]).stop == nil)
        #expect(Self.run(cursor, [page(Self.ten, "1"), page([], "1")]) == (.emptyPage, 2))
        let counted = Self.recipe { $0.request = PostRecipe(body: "{page: $page}") }
        #expect(Self.run(counted, [page(Self.ten, "true"), page(Self.twenty, "true")]).stop == nil)
        #expect(Self.run(counted, [page(Self.ten, "true"), page([], "true")]) == (.emptyPage, 2))
    }

    @Test("A next page that is the first one again ends the walk, which is complete")
    func firstAgain() {
        var walk = Walk(Self.recipe(), number: 1, memory: WalkMemory(), now: 0)
        let (first, second) = ("https://h/list", "https://h/list?after=x")
        let one = walk.pageRead(Self.page(Self.ten, next: .url(second)), at: walk.state.cursor, from: first)
        #expect(one == .page)
        let again = walk.pageRead(
            Self.page(Self.twenty, next: .url(first)),
            at: walk.state.cursor,
            from: second
        )
        #expect(again == .done(.firstPage))
        #expect(WalkStop.firstPage.isComplete)
    }

    @Test(
        "Behind a page that was read, an answer that a list has no such page is its end where the recipe counts",
        arguments: [400, 404, 410, 416, 403, 500]
    )
    func pastEnd(_ status: Int) {
        for (next, isCounted) in [("{page: ($page + 1)}", true), (".next", false)] {
            let recipe = Self.recipe { $0.next = .expression(next) }
            var walk = Walk(recipe, number: 1, memory: WalkMemory(), now: 0)
            #expect(walk.pageMissing(status: status) == nil)
            #expect(walk.pageRead(Self.page(Self.ten, total: 25), at: walk.state.cursor) == .page)
            let isEnd = isCounted && status < 417 && status != 403
            #expect(walk.pageMissing(status: status) == (isEnd ? .done(.pastEnd) : nil))
            #expect(walk.state.end == (isEnd ? ListEnd(status: status, page: 2, missing: 15) : nil))
        }
        #expect(WalkStop.pastEnd.isComplete)
    }

    @Test("A total that is too small loses nothing, also where pages are uneven")
    func total() {
        let pages = (0..<5).map { Self.page(Self.keys($0 * 10..<$0 * 10 + 10), total: 20) }
        #expect(Self.run(Self.recipe(), pages).stop == nil)
        #expect(Self.run(Self.recipe(), pages + [Self.page(["short"], total: 20)]).stop == nil)
    }

    @Test("Past the end that the total names a page may be missing, and before it may not")
    func beyondTotal() {
        var walk = Walk(Self.recipe(), number: 1, memory: WalkMemory(), now: 0)
        #expect(walk.pageMissing(status: 404) == nil)
        #expect(walk.pageRead(Self.page(Self.ten, total: 20), at: walk.state.cursor) == .page)
        #expect(walk.pageMissing(status: 404) == nil)
        #expect(walk.pageRead(Self.page(Self.twenty, total: 20), at: walk.state.cursor) == .page)
        #expect(walk.pageMissing(status: 404) == .done(.total))
    }

    @Test("Limits end a walk, and it isn't complete then")
    func limits() {
        let pages = (0..<5).map { Self.page(Self.keys($0 * 10..<$0 * 10 + 10)) }
        #expect(Self.run(Self.recipe { $0.limits.pages = 2 }, pages) == (.limit, 2))
        #expect(Self.run(Self.recipe { $0.limits.items = 25 }, pages) == (.limit, 3))
        #expect(!WalkStop.limit.isComplete)
        #expect(!WalkStop.noProgress.isComplete)
    }

    @Test("A constant cursor is followed as long as it brings something new")
    func constantCursor() {
        let pages = (0..<50).map { Self.page(Self.keys($0 * 10..<$0 * 10 + 10), next: .url("https://h/")) }
        #expect(Self.run(Self.recipe(), pages).stop == nil)
    }

    @Test("A report of another page than the present is too late")
    func stale() {
        var walk = Walk(Self.recipe(), number: 1, memory: WalkMemory(), now: 0)
        let first = walk.state.cursor
        #expect(walk.pageRead(Self.page(Self.ten), at: first) == .page)
        let before = walk
        #expect(walk.pageRead(Self.page(Self.ten), at: first) == nil)
        #expect(walk == before)
        #expect(walk.state.cursor == Cursor(page: 2, offset: 10, place: .url("https://h/next")))
    }

    @Test("What is known ends a walk only after a complete one, and only with the newest first")
    func known() {
        let known = (0..<4).map { Self.page(Self.keys($0 * 10..<$0 * 10 + 10), new: 0) }
        let newest = Self.recipe { $0.order = .newestFirst }
        var reliable = WalkMemory()
        reliable.isReliable = true
        reliable.lastFull = 0
        #expect(Self.run(newest, memory: reliable, known) == (.known, 2))
        #expect(Self.run(newest, known).stop == nil)
        #expect(Self.run(Self.recipe(), memory: reliable, known).stop == nil)
        let mixed = [known[0], Self.page(Self.keys(90..<95)), known[1], known[2], known[3]]
        #expect(Self.run(newest, memory: reliable, mixed) == (.known, 4))
    }

    @Test("Neither what the walk itself has listed nor what another slice has makes the rest known")
    func knownElsewhere() {
        let newest = Self.recipe { $0.order = .newestFirst }
        var reliable = WalkMemory()
        reliable.isReliable = true
        reliable.lastFull = 0
        func page(_ number: Int, new: Int, toWalk: Int) -> PageReport {
            Self.page(Self.ten, new: new, newToWalk: toWalk, next: .url("https://h/\(number)"))
        }
        let moved = [page(2, new: 10, toWalk: 10), page(3, new: 0, toWalk: 0), page(4, new: 0, toWalk: 0)]
        #expect(Self.run(newest, memory: reliable, moved).stop == nil)
        var walk = Walk(newest, number: 2, memory: reliable, now: 0)
        for number in 2..<6 {
            let report = Self.page(Self.keys(number..<number + 5), new: 0, next: .url("https://h/\(number)"))
            #expect(walk.pageRead(report, at: walk.state.cursor, ofNewSlice: true) == .page)
        }
        let last = Self.page(Self.keys(50..<55), new: 0, next: .url("https://h/9"))
        #expect(walk.pageRead(last, at: walk.state.cursor) == .done(.known))
    }

    /// A page of which nothing is wanted.
    static func unwanted(_ keys: [String]) -> PageReport {
        var page = page(keys, new: 0)
        page.wanted = 0
        return page
    }

    @Test("Pages of which nothing is wanted don't make the rest known, nor known items unknown")
    func unwanted() {
        let newest = Self.recipe { $0.order = .newestFirst }
        var reliable = WalkMemory()
        reliable.isReliable = true
        reliable.lastFull = 0
        let pages = (0..<5).map { Self.unwanted(Self.keys($0 * 10..<$0 * 10 + 10)) }
        #expect(Self.run(newest, memory: reliable, pages).stop == nil)
        let known = Self.page(["x"], new: 0)
        #expect(Self.run(newest, memory: reliable, [known, pages[0], known]) == (.known, 3))
    }

    @Test("A bucket's pages without objects go on, unless the position stays")
    func emptyBucketPages() {
        func page(_ token: String, _ keys: [String] = []) -> PageReport {
            Self.page(keys, next: .bucket(.token(token)))
        }
        let bucket = Self.recipe {
            $0.kind = .s3
            $0.next = nil
        }
        let moving = (0..<9).map { page("\($0)") } + [Self.page(["k"], next: .end)]
        #expect(Self.run(bucket, moving) == (.lastPage, 10))
        #expect(Self.run(bucket, (0..<9).map { _ in page("same") }) == (.noProgress, 4))
        var same = page("b", ["k"])
        same.newToWalk = 0
        #expect(Self.run(bucket, [page("a", ["k"]), same, same]) == (.samePage, 3))
    }

    @Test("Equal rows, one after the other, are rows")
    func equalRows() {
        let rows = Self.recipe {
            $0.kind = .csv
            $0.next = nil
        }
        let pages = (1...4).map { Self.page(["k"], next: .row(RowPosition(bytes: $0 * 10, line: $0))) }
        #expect(Self.run(rows, pages).stop == nil)
    }

    @Test("A list is read to its end again after full_every, and after a walk that was cut off")
    func full() {
        var recipe = Self.recipe { $0.order = .newestFirst }
        var walk = Walk(recipe, number: 1, memory: WalkMemory(), now: 0)
        #expect(walk.state.isFull)
        var memory = WalkMemory().after(walk.state, .lastPage, now: 10)
        #expect(memory.isReliable)
        walk = Walk(recipe, number: 2, memory: memory, now: 100)
        #expect(!walk.state.isFull)
        #expect(Walk(recipe, number: 2, memory: memory, now: 10 + 604_800).state.isFull)
        recipe.fullEvery = nil
        #expect(!Walk(recipe, number: 2, memory: memory, now: 1e12).state.isFull)

        var cutOff = Walk(goingOnWith: walk.state, recipe, records: [:])
        #expect(cutOff.state.wasCutOff)
        #expect(cutOff.pageRead(Self.page(Self.ten, next: .end), at: .start) == .done(.lastPage))
        memory = memory.after(cutOff.state, .lastPage, now: 200)
        #expect(!memory.isReliable)
        #expect(WalkMemory.needsAnother(after: cutOff.state, .lastPage, recipe: recipe))
        #expect(Walk(recipe, number: 3, memory: memory, now: 201).state.isFull)
    }

    @Test("A walk that is cut off anywhere goes on where it was, and meets every page", arguments: 0..<8)
    func cutOff(at cut: Int) {
        let pages = (0..<8).map {
            Self.page(Self.keys($0 * 10..<$0 * 10 + 10), next: $0 == 7 ? .end : .url("https://h/\($0 + 1)"))
        }
        var walk = Walk(Self.recipe(), number: 1, memory: WalkMemory(), now: 0)
        var last: WalkStep?
        for (index, page) in pages.enumerated() {
            if index == cut { walk = Walk(goingOnWith: walk.state, Self.recipe(), records: [:]) }
            #expect(walk.state.cursor.page == index + 1)
            last = walk.pageRead(page, at: walk.state.cursor)
        }
        #expect(last == .done(.lastPage))
        #expect((walk.state.pages, walk.state.items, walk.state.new) == (8, 80, 80))
    }

    @Test("The state comes back from the store as it was written")
    func coding() throws {
        var walk = Walk(Self.recipe(), number: 7, memory: WalkMemory(), now: 0)
        _ = walk.pageRead(Self.page(Self.ten, total: 99), at: .start)
        let data = try JSONCoding.encode(walk.state)
        #expect(try JSONCoding.decode(WalkState.self, from: data) == walk.state)
    }
}
