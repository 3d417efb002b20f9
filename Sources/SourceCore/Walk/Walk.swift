/// Decides how a walk goes on: a value in, a value out.
public struct Walk: Hashable, Sendable {
    /// How many pages in a row may bring nothing new to the walk.
    public static let mostStalePages = 3

    /// What is stored of it.
    public private(set) var state: WalkState
    /// Slices that are still to be read; nil where the list of slices has to be read first, or again.
    public private(set) var pending: [Slice]?
    private let recipe: Recipe
    /// Whether a page with nothing new may end it.
    private let mayStopAtKnown: Bool

    /// Begins a walk.
    ///
    /// - Parameters:
    ///   - number: from 1, growing.
    ///   - memory: what earlier walks have left.
    ///   - now: seconds of the steady clock.
    public init(_ recipe: Recipe, number: Int, memory: WalkMemory, now: Double) {
        let isFull = memory.isFullDue(recipe, now: now)
        let ranges = recipe.slices == nil ? SlicePlan.ranges(of: recipe) : []
        self.recipe = recipe
        mayStopAtKnown = !isFull && recipe.order == .newestFirst
        if recipe.slices != nil {
            state = WalkState(number: number, part: .manifest, isFull: isFull)
        } else if let first = ranges.first {
            state = WalkState(number: number, part: .pages(first), isFull: isFull)
            pending = Array(ranges.dropFirst())
        } else {
            state = WalkState(number: number, part: .pages(nil), isFull: isFull)
            pending = []
        }
    }

    /// Goes on with a walk that a crash or a restart has cut off.
    ///
    /// What slices are left is known again once the list of slices has been read again; those of ranges
    /// are known at once.
    public init(goingOnWith state: WalkState, _ recipe: Recipe, records: [String: SliceRecord]) {
        self.recipe = recipe
        self.state = state
        self.state.wasCutOff = true
        mayStopAtKnown = !state.isFull && recipe.order == .newestFirst
        guard recipe.slices == nil, let slice = state.slice else {
            // An index of sitemaps is found again at the source's own URL.
            pending = recipe.slices == nil ? [] : nil
            return
        }
        let ranges = SlicePlan.ranges(of: recipe)
        if ranges.isEmpty { return }
        let left = SlicePlan.pending(
            ranges,
            order: .listed,
            records: records,
            walk: state.number,
            isFull: true
        )
        pending = left.filter { $0.key != slice.key }
    }

    /// The list of slices has been read.
    ///
    /// - Parameter records: what is known of the slices.
    public mutating func manifestRead(_ slices: [Slice], records: [String: SliceRecord]) -> WalkStep {
        state.pages += 1
        let all = SlicePlan.combining(slices, with: SlicePlan.ranges(of: recipe))
        pending = SlicePlan.pending(
            all,
            order: recipe.slices?.order ?? .listed,
            records: records,
            walk: state.number,
            isFull: state.isFull
        )
        return nextSlice(after: .unchanged)
    }

    /// The list of slices hasn't changed since a complete walk, and says which slice has.
    public mutating func manifestUnchanged() -> WalkStep {
        state.pages += 1
        return .done(.unchanged)
    }

    /// A page has been read.
    ///
    /// - Parameters:
    ///   - report: what it had.
    ///   - cursor: where it was asked for. Another than the present is a report that comes too late: nil.
    ///   - records: what is known of the slices, for an index of sitemaps.
    public mutating func pageRead(
        _ report: PageReport,
        at cursor: Cursor,
        records: [String: SliceRecord] = [:]
    ) -> WalkStep? {
        guard cursor == state.cursor, case .pages(let slice) = state.part else { return nil }
        count(report)
        if !report.children.isEmpty {
            let listed = report.children.filter { child in
                child.url != slice?.url && !(pending ?? []).contains { $0.key == child.key }
            }
            pending =
                (pending ?? [])
                + SlicePlan.pending(
                    listed,
                    order: .listed,
                    records: records,
                    walk: state.number,
                    isFull: state.isFull
                )
            return .sliceDone(slice, .lastPage)
        }
        let stop = stop(after: report)
        remember(report)
        if let stop { return ending(stop, slice) }
        switch report.next {
        case .url(let url): state.cursor = cursor.next(.url(url), after: report.listed)
        case .bucket(let position): state.cursor = cursor.next(.bucket(position), after: report.listed)
        case .row(let position): state.cursor = cursor.next(.row(position), after: report.listed)
        case .absent, .end: return ending(.lastPage, slice)
        }
        return .page
    }

    /// The first page of the source or slice was answered by 304, or with the same bytes, where that
    /// says that nothing has changed (see ``Conditions``).
    public mutating func pageUnchanged() -> WalkStep {
        state.pages += 1
        return ending(.unchanged, state.slice)
    }

    /// There is no page where one was asked for past the end that the total names.
    ///
    /// - Returns: how the walk goes on; nil where that page should have been there, so that it is an error.
    public mutating func pageMissing() -> WalkStep? {
        guard state.isBeyondTotal else { return nil }
        return ending(.total, state.slice)
    }

    /// The slice that was told as done is stored: the next begins, or the walk has ended.
    public mutating func nextSlice(after stop: WalkStop) -> WalkStep {
        guard var left = pending else {
            // An index of sitemaps is the source's own page.
            if recipe.slices == nil { pending = [] }
            state.begin(recipe.slices == nil ? .pages(nil) : .manifest)
            return .page
        }
        guard !left.isEmpty else { return .done(stop) }
        guard state.pages < recipe.limits.pages, state.items < recipe.limits.items else {
            return .done(.limit)
        }
        state.begin(.pages(left.removeFirst()))
        pending = left
        return .page
    }

    private func ending(_ stop: WalkStop, _ slice: Slice?) -> WalkStep {
        if stop.endsWalk { return .done(stop) }
        return slice == nil && pending?.isEmpty == true ? .done(stop) : .sliceDone(slice, stop)
    }

    private mutating func count(_ report: PageReport) {
        // The rows of a long list are no pages that a server is asked for.
        if !recipe.kind.isStreamed || state.pages == 0 { state.pages += 1 }
        state.items += report.listed
        state.new += report.new
        state.known += max(0, report.wanted - report.new)
        state.bad += report.bad
        if let total = report.total { state.total = total }
    }

    private mutating func remember(_ report: PageReport) {
        state.stalePages = report.newToWalk == 0 ? state.stalePages + 1 : 0
        state.knownPages = report.new == 0 ? state.knownPages + 1 : 0
        state.lastPage = report.fingerprint
        state.lastCount = report.listed
        state.isBeyondTotal = reachesTotal(report)
    }

    /// The first reason to stop that holds.
    private func stop(after report: PageReport) -> WalkStop? {
        if report.next == .end || report.next == .absent { return .lastPage }
        if report.more == false { return .noMore }
        // A bucket's page can be empty and have a next one.
        if report.listed == 0, recipe.kind != .s3 { return .emptyPage }
        if report.listed > 0, report.fingerprint == state.lastPage { return .samePage }
        if !recipe.kind.isStreamed, state.pages >= recipe.limits.pages { return .limit }
        if state.items >= recipe.limits.items { return .limit }
        if report.newToWalk == 0, state.stalePages + 1 >= Self.mostStalePages { return .noProgress }
        if mayStopAtKnown, report.new == 0, state.knownPages + 1 >= recipe.limits.knownPages { return .known }
        if reachesTotal(report), let last = state.lastCount, report.listed < last { return .total }
        return nil
    }

    /// Whether as many items were listed as the source says there are, where nothing but that could say
    /// whether there are more.
    ///
    /// A total can be too small. So it ends a walk only at a page that is shorter than the one before it,
    /// as last pages are; after a full page one more is asked for, which may be missing.
    private func reachesTotal(_ report: PageReport) -> Bool {
        guard report.more == nil, let total = report.total else { return false }
        return state.cursor.offset + report.listed >= total
    }
}
