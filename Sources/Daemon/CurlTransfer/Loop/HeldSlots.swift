/// The slots that may not receive bytes at the moment, because of a rate, the store, or the disk's room.
struct HeldSlots {
    private var slots: [TransferSlot] = []

    /// True if no slot is held.
    var isEmpty: Bool { slots.isEmpty }

    /// True if a slot only needs time to pass, rather than a message.
    var waitForTime: Bool { slots.contains { $0.transfer.replacement == nil } }

    /// Holds a slot, after those already held, unless it is held already.
    mutating func hold(_ slot: TransferSlot) {
        guard !slot.isPaused else { return }
        slot.isPaused = true
        slots.append(slot)
    }

    /// Removes a slot whose request has ended.
    mutating func forget(_ slot: TransferSlot) {
        guard slot.isPaused else { return }
        slot.isPaused = false
        slots.removeAll { $0 === slot }
    }

    /// Removes and returns all slots, the longest held first; each must be resumed or kept.
    mutating func takeAll() -> [TransferSlot] {
        let held = slots
        slots = []
        return held
    }

    /// Holds a slot that ``takeAll()`` returned again.
    mutating func keep(_ slot: TransferSlot) { slots.append(slot) }
}
