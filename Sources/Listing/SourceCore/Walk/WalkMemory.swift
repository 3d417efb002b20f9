/// The memory of earlier walks of a source.
public struct WalkMemory: Hashable, Sendable, Codable {
    /// The time at which a walk last read everything to the end, in seconds of the steady clock; nil for
    /// never.
    ///
    /// Walks that ended at known items don't count.
    public var lastFull: Double?
    /// True if the last walk was complete and uninterrupted.
    public var isReliable = false

    /// The number of the walk with which all slices began to be read again; nil if they have been.
    ///
    /// That can take several walks, because each has limits.
    public var fullSince: Int?

    /// Creates the memory of a source that has never been walked.
    public init() {}

    /// Returns whether known items may not end the next walk.
    ///
    /// They may only if the last walk was complete; otherwise there may be a gap below what is known.
    ///
    /// From time to time a list is read to its end anyway, for items that have moved past the cursor.
    func isFullDue(_ recipe: Recipe, now: Double) -> Bool {
        guard isReliable, let lastFull else { return true }
        return isDue(recipe, since: lastFull, now: now)
    }

    /// Returns the number of the walk since which the next one reads all slices again; nil if it reads
    /// those that have changed.
    ///
    /// A slice's record is proof that it was read to its end, so a walk that was cut off or reached its
    /// limit goes on with the slices that it has left, unlike one over a list, where a gap has no record.
    func rereadsBefore(in walk: Int, _ recipe: Recipe, now: Double) -> Int? {
        if let fullSince { return fullSince }
        guard let lastFull, isDue(recipe, since: lastFull, now: now) else { return nil }
        return walk
    }

    private func isDue(_ recipe: Recipe, since lastFull: Double, now: Double) -> Bool {
        guard let every = recipe.fullEvery else { return false }
        return now - lastFull >= every
    }

    /// Returns the memory after a walk.
    public func after(_ walk: WalkState, _ stop: WalkStop, now: Double) -> WalkMemory {
        var memory = self
        memory.isReliable = stop.isComplete && !walk.wasCutOff
        let hasReadAll =
            walk.part == .pages(nil)
            ? memory.isReliable : stop.isComplete && (walk.rereadsBefore != nil || lastFull == nil)
        if walk.isFull, hasReadAll { memory.lastFull = now }
        if !walk.fetchesMissing { memory.fullSince = stop.isComplete ? nil : walk.rereadsBefore }
        return memory
    }

    /// Returns whether another walk from the top must follow at once, because a newest-first list was
    /// cut off and may have a gap where it was continued.
    public static func needsAnother(after walk: WalkState, _ stop: WalkStop, recipe: Recipe) -> Bool {
        recipe.order == .newestFirst && walk.wasCutOff && stop.isComplete
    }
}
