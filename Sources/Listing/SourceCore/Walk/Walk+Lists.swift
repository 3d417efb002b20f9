/// A page of a list of slices that was read.
public struct SliceList: Hashable, Sendable {
    /// The slices that could be read, in their order.
    public var slices: [Slice]
    /// The number of slices that could not be read.
    public var bad = 0
    /// The problem of the first of those; nil if there is none.
    public var complaint: String?
    /// The next page of the list.
    public var next = PageReport.Next.absent

    public init(_ slices: [Slice], next: PageReport.Next = .absent) {
        (self.slices, self.next) = (slices, next)
    }
}

/// The lists of slices of a walk, which are read page by page: once the slices of a page have been walked, the next
/// page is read. So a walk knows the slices of one page only, and goes on at that page after a restart.
///
/// Slices may have lists of their own, whose slices have the pages.
extension Walk {
    /// The state of reading the lists, as far as it isn't stored.
    struct Lists: Hashable {
        /// The slices that have lists of their own still to be read; nil if their list must be read, or again.
        var parents: [Slice]?
        /// The next page of the list at hand; nil at its end.
        var following: Cursor?
        /// The same of the list of those that have lists.
        var followingParents: Cursor?
        /// The URLs that answered for the first page of the list at hand, and of that of those that have lists.
        var firstURL: String?
        var firstURLOfParents: String?
        /// The pages of lists that were read.
        var met: Set<PageFingerprint> = []
        /// The number of pages in a row that brought nothing.
        var stale = 0
    }

    /// True if slices have lists of slices of their own.
    private var isNested: Bool { recipe.slices?.slices != nil }

    /// Handles a page of a list of slices that has been read.
    ///
    /// - Parameters:
    ///   - records: the records of the slices.
    ///   - url: the URL that answered, without secrets.
    public mutating func manifestRead(
        _ list: SliceList,
        records: [String: SliceRecord],
        from url: String = ""
    ) -> WalkStep {
        state.pages += 1
        state.bad += list.bad
        if state.complaint == nil { state.complaint = list.complaint }
        let parent = state.slice
        let isOfParents = isNested && parent == nil
        let rule = parent == nil ? recipe.slices : recipe.slices?.slices
        let listed = parent.map { parent in list.slices.map { $0.within(parent) } } ?? list.slices
        let all = isOfParents ? listed : SlicePlan.combining(listed, with: SlicePlan.ranges(of: recipe))
        var left = SlicePlan.pending(
            all,
            order: rule?.order ?? .listed,
            records: records,
            walk: state.number,
            rereadsBefore: state.rereadsBefore
        )
        if left.count < all.count { state.goodSlices = max(state.goodSlices, all.count - left.count) }
        let unread = left.count
        left.removeAll { isBad($0) }
        // One that was left out before the list was read again is missing still.
        if left.count < unread { noteGap() }
        let following: Cursor?
        switch next(of: list, listed, rule?.next, isOfParents: isOfParents, url) {
        case .page(let cursor): following = cursor
        case .end: following = nil
        case .stop: return .done(.noProgress)
        }
        if isOfParents {
            state.parents = state.cursor
            (lists.parents, lists.followingParents) = (left, following)
            pending = nil
        } else {
            state.list = state.cursor
            (pending, lists.following) = (left, following)
        }
        return nextSlice(after: .unchanged)
    }

    private enum Following {
        case page(Cursor)
        case end
        case stop
    }

    /// Decides what follows a page of a list, as for pages of items.
    private mutating func next(
        of list: SliceList,
        _ listed: [Slice],
        _ rule: NextRule?,
        isOfParents: Bool,
        _ answered: String
    ) -> Following {
        let cursor = state.cursor
        if cursor.place == .first {
            let url = answered.isEmpty ? nil : answered
            if isOfParents { lists.firstURLOfParents = url } else { lists.firstURL = url }
            lists.stale = 0
        }
        let first = isOfParents ? lists.firstURLOfParents : lists.firstURL
        // One that is read again, after a restart or for a poll, may well bring nothing.
        let isAgain = cursor == (isOfParents ? state.parents : state.list)
        let isMet = !lists.met.insert(PageFingerprint(keys: listed.map(\.key))).inserted
        lists.stale = isAgain || !isMet && !listed.isEmpty ? 0 : lists.stale + 1
        guard case .url(let url) = list.next else { return .end }
        if url == first || cursor.place == .url(url) { return .end }
        if listed.isEmpty, Recipe.countsPages(rule) { return .end }
        guard lists.stale < Self.mostStalePages else { return .stop }
        return .page(cursor.next(.url(url), after: listed.count))
    }

    /// Begins with the list of slices that is to be read now; returns the next step.
    mutating func readList(after stop: WalkStop) -> WalkStep {
        if let parent = state.parent {
            return read(.list(of: parent), at: state.list)
        }
        guard isNested, var left = lists.parents else {
            return read(.manifest, at: isNested ? state.parents : state.list)
        }
        guard !left.isEmpty else {
            guard let following = lists.followingParents else { return .done(stop) }
            guard mayReadOn else { return .done(.limit) }
            (lists.parents, lists.followingParents) = (nil, nil)
            return read(.manifest, at: following)
        }
        guard mayReadOn else { return .done(.limit) }
        let parent = left.removeFirst()
        lists.parents = left
        (state.parent, state.list, state.parentHasGap) = (parent, nil, false)
        return read(.list(of: parent), at: nil)
    }

    private mutating func read(_ part: WalkState.Part, at cursor: Cursor?) -> WalkStep {
        pending = nil
        lists.following = nil
        state.begin(part)
        state.cursor = cursor ?? .start
        return .page
    }

    /// Goes on where all slices of a page of the list have been walked; returns the next step.
    mutating func listDone(after stop: WalkStop) -> WalkStep {
        if let following = lists.following {
            guard mayReadOn else { return .done(.limit) }
            return read(state.parent.map(WalkState.Part.list) ?? .manifest, at: following)
        }
        guard let parent = state.parent else { return .done(stop) }
        let isWhole = !state.parentHasGap
        leaveParent()
        return .listDone(parent, isWhole: isWhole, stop)
    }

    /// True if the limits let the walk read another page.
    var mayReadOn: Bool { state.pages < recipe.limits.pages && state.items < recipe.limits.items }

    /// Notes that a slice was left before its end, so that the one which lists it isn't read as far as it should be.
    mutating func noteGap() { if state.parent != nil { state.parentHasGap = true } }

    /// Leaves the slice whose list was read, or can't be.
    mutating func leaveParent() {
        (state.parent, state.list, state.parentHasGap) = (nil, nil, false)
        pending = nil
        lists.following = nil
    }

    /// Reads the page of the list again that the slices at hand are from, or all of the list.
    mutating func rereadList(fromStart: Bool) {
        let page = isNested ? state.parents : state.list
        leaveParent()
        (lists.parents, lists.followingParents) = (nil, nil)
        // Pages that are read again are no sign of a list that goes round.
        (lists.met, lists.stale) = ([], 0)
        // Not as a page that brings nothing.
        if isNested { state.parents = page } else { state.list = page }
        if fromStart {
            (state.parents, state.list) = (nil, nil)
            lists = Lists()
        }
        _ = read(.manifest, at: fromStart ? nil : page)
    }

    /// Takes a page of a list of slices that isn't there for the end of the list, where the recipe counts on.
    mutating func listEnded(status: Int) -> WalkStep? {
        let rule = state.slice == nil ? recipe.slices : recipe.slices?.slices
        guard ListEnd.statuses.contains(status), state.cursor.page > 1, Recipe.countsPages(rule?.next) else {
            return nil
        }
        state.end = ListEnd(status: status, page: state.cursor.page)
        if isNested, state.slice == nil {
            (lists.parents, lists.followingParents) = ([], nil)
            pending = nil
        } else {
            (pending, lists.following) = ([], nil)
        }
        return nextSlice(after: .pastEnd)
    }
}

extension Slice {
    /// The slice as one within another: known by both keys, and with the variables of both.
    func within(_ parent: Slice) -> Slice {
        var slice = self
        // The first such sign is that between the two.
        slice.key = parent.key.replacing(">", with: "%3E") + " > " + key
        slice.variables = parent.variables.merging(variables) { _, own in own }
        return slice
    }
}
