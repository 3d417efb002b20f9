/// Looking for new items in a lazy list while it is held.
///
/// Its walk is put aside, and another reads the first pages down to what is known. Then the first one is held
/// again where it was. A list of slices is held without being looked at.
extension SourceMachine {
    /// Returns whether a walk is held far down in a list without slices.
    func isHeld(_ present: WalkState) -> Bool {
        recipe.mode == .lazy && state.aside == nil && present.part == .pages(nil)
            && present.cursor.place != .first && !mayRead(present, unfinished: 0)
    }

    /// Returns the time of the next look at the front of a held list; nil for never.
    mutating func nextLook(_ present: WalkState, now: Double) -> Double? {
        guard isHeld(present), let every = recipe.every else { return nil }
        let planned = state.lookAt ?? now + max(every, PollPlan.floor)
        state.lookAt = planned
        return planned
    }

    /// Plans the next look; the first page has just been read.
    mutating func planLook(now: Double, using generator: inout some RandomNumberGenerator) {
        guard recipe.mode == .lazy else { return state.lookAt = nil }
        state.lookAt = PollPlan.next(
            every: recipe.every,
            fresh: state.freshUntil - now,
            wanted: state.unwantedUntil - now,
            now: now,
            using: &generator
        )
    }

    /// The look that was planned before the daemon started.
    mutating func planLookAfterStart(now: Double, using generator: inout some RandomNumberGenerator) {
        state.aside?.wasCutOff = true
        guard let planned = state.lookAt else { return }
        let longest = max(recipe.every ?? 0, PollPlan.floor, Freshness.longest) * (1 + PollPlan.jitter)
        state.lookAt = PollPlan.afterStart(planned: min(planned, now + longest), now: now, using: &generator)
    }

    /// Begins to look at the front of the list.
    mutating func beginLook() {
        guard let present = walk?.state else { return }
        state.aside = present
        state.walks += 1
        walk = Walk(lookingAt: recipe, number: state.walks)
        state.walk = walk?.state
    }

    /// Ends a look that has met as many new items as are listed at once: there may be any number more, so
    /// that the list is held here now, and read from here down when somebody asks for more.
    mutating func holdLook() {
        guard state.aside != nil, var present = walk?.state,
            present.items - present.known >= recipe.ahead
        else { return }
        let wasCutOff = present.wasCutOff
        (present.isLook, present.isFull) = (false, true)
        walk = Walk(takingUp: present, recipe, hasGap: wasCutOff)
        state.aside = nil
        state.listedSinceMore = present.items
        state.pagesSinceMore = present.pages
    }

    /// Ends a look, and holds the list where it was.
    mutating func endLook(hasGap: Bool) {
        guard let held = state.aside else { return }
        walk = Walk(takingUp: held, recipe, hasGap: hasGap)
        state.walk = walk?.state
        state.aside = nil
    }
}
