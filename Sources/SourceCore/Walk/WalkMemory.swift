/// What is remembered from earlier walks of a source.
public struct WalkMemory: Hashable, Sendable, Codable {
    /// When a walk last read everything to the end, in seconds of the steady clock; nil for never.
    ///
    /// Walks that ended at known items don't count.
    public var lastFull: Double?
    /// Whether the last walk was complete and uninterrupted.
    public var isReliable = false

    /// Creates the memory of a source that has never been walked.
    public init() {}

    /// Returns whether known items may not end the next walk.
    ///
    /// They may only if the last walk was complete; otherwise there may be a gap below what is known.
    ///
    /// From time to time a list is read to its end anyway, for items that have moved past the cursor.
    func isFullDue(_ recipe: Recipe, now: Double) -> Bool {
        guard isReliable, let lastFull else { return true }
        guard let every = recipe.fullEvery else { return false }
        return now - lastFull >= every
    }

    /// Returns the memory after a walk.
    public func after(_ walk: WalkState, _ stop: WalkStop, now: Double) -> WalkMemory {
        var memory = self
        memory.isReliable = stop.isComplete && !walk.wasCutOff
        if walk.isFull, memory.isReliable { memory.lastFull = now }
        return memory
    }

    /// Returns whether another walk from the top must follow at once, because a newest-first list was
    /// cut off and may have a gap where it was continued.
    public static func needsAnother(after walk: WalkState, _ stop: WalkStop, recipe: Recipe) -> Bool {
        recipe.order == .newestFirst && walk.wasCutOff && stop.isComplete
    }
}
