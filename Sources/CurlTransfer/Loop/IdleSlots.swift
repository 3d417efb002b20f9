/// Slots without a transfer, kept for reuse because creating a handle costs more than fetching a small
/// file.
struct IdleSlots {
    private var slots: [TransferSlot] = []

    /// The most slots kept.
    private static let limit = 256

    /// Removes and returns a slot; nil if there is none.
    mutating func pop() -> TransferSlot? { slots.popLast() }

    /// Ends a slot's transfer and keeps the slot for another one.
    mutating func put(_ slot: TransferSlot) {
        slot.release()
        if slots.count < Self.limit { slots.append(slot) }
    }

    /// Releases all slots.
    mutating func removeAll() { slots = [] }
}
