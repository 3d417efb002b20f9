/// What earlier walks of a source have left for the next.
public struct WalkMemory: Hashable, Sendable, Codable {
    /// When a walk was last read to the end without anything known ending it; nil for never.
    ///
    /// Seconds of the steady clock.
    public var lastFull: Double?
    /// Whether the walk before was complete and in one piece.
    public var isReliable = false

    /// The memory of a source that was never walked.
    public init() {}

    /// What is known of the top of the list may end a walk only where the walk before was complete: else
    /// there may be a gap below what is known.
    ///
    /// Now and then a list is read to its end all the same, for items that have moved past the cursor.
    func isFullDue(_ recipe: Recipe, now: Double) -> Bool {
        guard isReliable, let lastFull else { return true }
        guard let every = recipe.fullEvery else { return false }
        return now - lastFull >= every
    }

    /// The memory after a walk.
    public func after(_ walk: WalkState, _ stop: WalkStop, now: Double) -> WalkMemory {
        var memory = self
        memory.isReliable = stop.isComplete && !walk.wasCutOff
        if walk.isFull, memory.isReliable { memory.lastFull = now }
        return memory
    }

    /// Whether another walk from the top follows at once: a list with the newest first was cut off, and
    /// may have a gap where it went on.
    public static func needsAnother(after walk: WalkState, _ stop: WalkStop, recipe: Recipe) -> Bool {
        recipe.order == .newestFirst && walk.wasCutOff && stop.isComplete
    }
}
