/// The slots whose bytes wait: for a rate, for the store, or for room on the disk.
struct HeldSlots {
    private var slots: [TransferSlot] = []

    /// Whether no slot waits.
    var isEmpty: Bool { slots.isEmpty }

    /// Whether a slot waits for what comes with time alone, and not with a message.
    var waitForTime: Bool { slots.contains { $0.replacement == nil } }

    /// Holds a slot, behind those that are held already; once is enough.
    mutating func hold(_ slot: TransferSlot) {
        guard !slot.isPaused else { return }
        slot.isPaused = true
        slots.append(slot)
    }

    /// Forgets that a slot was held: its request is over.
    mutating func forget(_ slot: TransferSlot) {
        guard slot.isPaused else { return }
        slot.isPaused = false
        slots.removeAll { $0 === slot }
    }

    /// Gives out all of them, the longest held first, each to be let go on or to be kept.
    mutating func takeAll() -> [TransferSlot] {
        let held = slots
        slots = []
        return held
    }

    /// Keeps one of those that were given out.
    mutating func keep(_ slot: TransferSlot) { slots.append(slot) }
}
