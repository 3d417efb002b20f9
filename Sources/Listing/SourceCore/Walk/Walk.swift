/// The state machine of a walk over a source's pages, which does no I/O.
public struct Walk: Hashable, Sendable {
    /// The number of pages in a row without anything new to the walk after which it stops.
    public static let mostStalePages = 3

    /// The state to be stored.
    public internal(set) var state: WalkState
    /// The slices still to be read; nil if the list of slices must be read first, or again.
    public internal(set) var pending: [Slice]?
    /// The reading of lists of slices.
    var lists = Lists()
    /// The indexes of sitemaps that were read, which other indexes may list again.
    var indexes: Set<String> = []
    let recipe: Recipe
    /// True if a page with nothing new may end the walk.
    private let mayStopAtKnown: Bool

    /// Creates a walk at its beginning.
    ///
    /// - Parameters:
    ///   - number: the walk's number, increasing from 1.
    ///   - memory: The memory of earlier walks.
    ///   - fetchesMissing: True to fetch items again whose documents are gone, for which everything
    ///     must be read.
    ///   - now: the current time in seconds of the steady clock.
    public init(
        _ recipe: Recipe,
        number: Int,
        memory: WalkMemory,
        fetchesMissing: Bool = false,
        now: Double
    ) {
        let isFull = fetchesMissing || memory.isFullDue(recipe, now: now)
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
        state.rereadsBefore = fetchesMissing ? number : memory.rereadsBefore(in: number, recipe, now: now)
        state.fetchesMissing = fetchesMissing
    }

    /// Continues a walk that was cut off by a crash or a restart.
    ///
    /// The remaining slices are known again once the list of slices has been reread; those from ranges
    /// are known at once.
    public init(goingOnWith state: WalkState, _ recipe: Recipe, records: [String: SliceRecord]) {
        self.recipe = recipe
        self.state = state
        self.state.wasCutOff = true
        mayStopAtKnown = state.isLook || !state.isFull && recipe.order == .newestFirst
        guard recipe.slices == nil, let slice = state.slice else {
            // The source's own URL leads to the sitemap index again.
            pending = recipe.slices == nil ? [] : nil
            return
        }
        let ranges = SlicePlan.ranges(of: recipe)
        if ranges.isEmpty { return }
        let left = SlicePlan.pending(ranges, order: .listed, records: records, walk: state.number)
        pending = left.filter { $0.key != slice.key && !isBad($0) }
    }

    /// Creates the walk of a list without slices that looks for new items in front, down to known ones.
    init(lookingAt recipe: Recipe, number: Int) {
        self.recipe = recipe
        mayStopAtKnown = true
        state = WalkState(number: number, part: .pages(nil), isFull: false)
        state.isLook = true
        pending = []
    }

    /// Continues the walk of a list without slices that was put aside; `hasGap` says whether items above it
    /// may not have been read.
    init(takingUp state: WalkState, _ recipe: Recipe, hasGap: Bool) {
        self.init(goingOnWith: state, recipe, records: [:])
        self.state.wasCutOff = state.wasCutOff || hasGap
    }

    /// Handles the report of a page that has been read.
    ///
    /// - Parameters:
    ///   - report: the page's contents.
    ///   - cursor: the cursor with which it was requested; if it isn't the current one, the report is
    ///     late and the result nil.
    ///   - records: what is known about the slices, for a sitemap index.
    ///   - isNew: whether the present slice has never been read to its end.
    ///   - url: the URL that answered, without secrets.
    public mutating func pageRead(
        _ report: PageReport,
        at cursor: Cursor,
        records: [String: SliceRecord] = [:],
        ofNewSlice isNew: Bool = false,
        from url: String = ""
    ) -> WalkStep? {
        guard cursor == state.cursor, case .pages(let slice) = state.part else { return nil }
        if cursor.place == .first, !url.isEmpty { state.firstURL = url }
        count(report)
        if !report.children.isEmpty {
            enqueue(report.children, of: slice, records: records)
            return .sliceDone(slice, .lastPage)
        }
        let stop = stop(after: report, ofNewSlice: isNew)
        remember(report)
        if let stop { return ending(stop, slice) }
        switch report.next {
        case .url(let url): state.cursor = cursor.next(.url(url), after: report.listed)
        case .post(let url, let next):
            state.cursor = cursor.next(.post(url: url, next: next), after: report.listed)
        case .bucket(let position): state.cursor = cursor.next(.bucket(position), after: report.listed)
        case .row(let position): state.cursor = cursor.next(.row(position), after: report.listed)
        case .absent, .end: return ending(.lastPage, slice)
        }
        return .page
    }

    /// Notes that the first page of the source or slice was answered by 304 or with the same bytes,
    /// where that means that nothing has changed (see ``Conditions``).
    public mutating func pageUnchanged() -> WalkStep {
        state.pages += 1
        return ending(.unchanged, state.slice)
    }

    /// Notes that a page is answered with a status, which may mean that the list has ended before it: where the
    /// total says so, or where the recipe counts pages and at least one was read.
    ///
    /// - Returns: the next step; nil if the page should have existed, so that this is an error.
    public mutating func pageMissing(status: Int) -> WalkStep? {
        guard case .pages(let slice) = state.part else { return listEnded(status: status) }
        if state.isBeyondTotal, status == 404 || status == 416 { return ending(.total, slice) }
        guard ListEnd.statuses.contains(status), recipe.countsPages, state.cursor.page > 1 else { return nil }
        // Of slices, each has its own total, and the last one is all that is known.
        let missing = state.total.map { $0 - state.cursor.offset }.flatMap { $0 > 0 ? $0 : nil }
        state.end = ListEnd(status: status, page: state.cursor.page, missing: missing)
        return ending(.pastEnd, slice)
    }

    /// Continues after a finished slice has been stored; returns the next step.
    public mutating func nextSlice(after stop: WalkStop) -> WalkStep {
        if !stop.isComplete { noteGap() }
        guard var left = pending else {
            if recipe.slices != nil { return readList(after: stop) }
            // A sitemap index is the source's own page.
            pending = []
            state.begin(.pages(nil))
            return .page
        }
        guard !left.isEmpty else { return listDone(after: stop) }
        guard mayReadOn else { return .done(.limit) }
        state.begin(.pages(left.removeFirst()))
        pending = left
        return .page
    }

    /// Reads the present slice from its first page again.
    mutating func beginSliceAnew() { state.begin(state.part) }

    private func ending(_ stop: WalkStop, _ slice: Slice?) -> WalkStep {
        if stop.endsWalk { return .done(stop) }
        return slice == nil && pending?.isEmpty == true ? .done(stop) : .sliceDone(slice, stop)
    }

    private mutating func count(_ report: PageReport) {
        // Pieces of a long list don't count as pages, because they aren't requested one by one.
        if !recipe.kind.isStreamed || state.pages == 0 { state.pages += 1 }
        state.items += report.listed
        state.new += report.new
        state.known += max(0, report.wanted - report.new)
        state.bad += report.bad
        if state.complaint == nil { state.complaint = report.complaint }
        if let total = report.total { state.total = total }
    }

    private mutating func remember(_ report: PageReport) {
        state.stalePages = isStale(report) ? state.stalePages + 1 : 0
        // A page without wanted items says nothing about the rest. Neither does a page of items that this
        // walk has listed: new items may have moved the list on by a page.
        if report.new > 0 { state.knownPages = 0 } else if report.isKnown { state.knownPages += 1 }
        state.lastPage = report.fingerprint
        state.lastCount = report.listed
        state.isBeyondTotal = reachesTotal(report)
    }

    /// Returns the first applicable reason to stop.
    private func stop(after report: PageReport, ofNewSlice isNew: Bool) -> WalkStop? {
        if report.next == .end || report.next == .absent { return .lastPage }
        if report.more == false { return .noMore }
        if report.listed == 0, isEnd(emptyPageWith: report) { return .emptyPage }
        if case .url(let url) = report.next, url == state.firstURL { return .firstPage }
        // Rows come from a place that moves on, and may well be equal.
        let isSame = !recipe.kind.isStreamed && report.listed > 0 && report.fingerprint == state.lastPage
        if isSame, isSamePlace(report.next) { return .samePage }
        if !recipe.kind.isStreamed, state.pages >= recipe.limits.pages { return .limit }
        if state.items >= recipe.limits.items { return .limit }
        if isStale(report), state.stalePages + 1 >= Self.mostStalePages {
            // A server may have its last page for whatever is behind it; its first one says nothing.
            let isLast = isSame && recipe.countsPages && state.cursor.page > Self.mostStalePages + 1
            return isLast ? .samePage : .noProgress
        }
        // A slice that is new may begin with what another slice has.
        if mayStopAtKnown, !isNew, report.isKnown, state.knownPages + 1 >= recipe.limits.knownPages {
            return .known
        }
        return nil
    }

    /// Returns whether an empty page is the end of the list: where the next one is the same, or only counted, and
    /// nothing says that there are more.
    private func isEnd(emptyPageWith report: PageReport) -> Bool {
        guard recipe.kind != .s3 else { return false }
        return isSamePlace(report.next) || recipe.countsPages && report.more != true
    }

    /// Returns whether the next page is asked for in the same way as this one.
    private func isSamePlace(_ next: PageReport.Next) -> Bool {
        switch next {
        case .url(let url): state.cursor.place == .url(url)
        // A body that is counted is another one each time.
        case .post(let url, let next):
            !recipe.countsPages && state.cursor.place == .post(url: url, next: next)
        case .bucket(let position): state.cursor.place == .bucket(position)
        case .row, .absent, .end: false
        }
    }

    /// Returns whether a page brings the walk no further.
    ///
    /// Pages of a bucket without objects, such as those of folders' markers, do as long as the position
    /// moves on.
    private func isStale(_ report: PageReport) -> Bool {
        guard report.newToWalk == 0 else { return false }
        guard recipe.kind == .s3, report.listed == 0, case .bucket = report.next else { return true }
        return isSamePlace(report.next)
    }

    /// Returns whether as many items have been listed as the source's total, in case nothing else says
    /// whether there are more.
    ///
    /// A total can be too small, so it ends no walk whose page names a next one. That one is requested,
    /// and may not exist.
    private func reachesTotal(_ report: PageReport) -> Bool {
        guard report.more == nil, let total = report.total else { return false }
        return state.cursor.offset + report.listed >= total
    }
}
