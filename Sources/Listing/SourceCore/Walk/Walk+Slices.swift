/// The slices of a walk: which there are, and what becomes of each.
extension Walk {
    /// Notes that the list of slices hasn't changed since a complete walk, and that it says which slices
    /// have.
    public mutating func manifestUnchanged() -> WalkStep {
        state.pages += 1
        return .done(.unchanged)
    }

    /// Enqueues the sitemaps of an index, as many as the limits let the walk read, and one more with which it
    /// ends at its limit.
    mutating func enqueue(_ children: [Slice], of slice: Slice?, records: [String: SliceRecord]) {
        if let slice { indexes.insert(slice.key) }
        var left = pending ?? []
        let room = max(0, recipe.limits.pages - state.pages) + 1 - left.count
        let known = indexes.union(left.map(\.key))
        let new = SlicePlan.pending(
            children.filter { !known.contains($0.key) && !isBad($0) },
            order: .listed,
            records: records,
            walk: state.number,
            rereadsBefore: state.rereadsBefore
        )
        let unchanged = children.count { records[$0.key] != nil } - new.count { records[$0.key] != nil }
        if unchanged > 0 { state.goodSlices = max(state.goodSlices, unchanged) }
        left += new.prefix(max(0, room))
        pending = left
    }

    /// Notes that the present slice can't be read; returns the next step, nil where there is no slice.
    mutating func sliceFailed(_ bad: BadSlices.Named) -> WalkStep? {
        guard let slice = state.slice else { return nil }
        var all = state.badSlices ?? BadSlices()
        all.add(bad)
        state.badSlices = all
        if case .list = state.part { leaveParent() }
        return .sliceDone(slice, .badSlice)
    }

    /// Begins again with all slices, as if none had failed.
    mutating func rereadSlices() {
        state.badSlices = nil
        if recipe.slices != nil { return rereadList(fromStart: true) }
        if recipe.kind == .sitemap { return rereadList() }
        let ranges = SlicePlan.ranges(of: recipe)
        guard let first = ranges.first else { return }
        pending = Array(ranges.dropFirst())
        state.begin(.pages(first))
    }

    /// Notes that the present slice was read as far as it should be.
    mutating func sliceSucceeded() { state.goodSlices += 1 }

    /// Reads the list of slices again, in which the present one may no longer be; does nothing where there is none.
    mutating func rereadList() {
        guard state.slice != nil else { return }
        if recipe.slices != nil { return rereadList(fromStart: false) }
        guard recipe.kind == .sitemap else { return }
        pending = []
        state.begin(.pages(nil))
    }

    /// Returns whether this walk has failed to read a slice.
    func isBad(_ slice: Slice) -> Bool {
        state.badSlices?.contains(slice.key) ?? false
    }
}
