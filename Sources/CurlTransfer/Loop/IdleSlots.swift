/// Slots that have no transfer, kept because making a handle costs more than a small file.
struct IdleSlots {
    private var slots: [TransferSlot] = []

    /// Slots that are kept at the most.
    private static let limit = 256

    /// One that was kept, if there is one.
    mutating func take() -> TransferSlot? { slots.popLast() }

    /// Ends a slot's transfer, and keeps it for another.
    mutating func put(_ slot: TransferSlot) {
        slot.release()
        if slots.count < Self.limit { slots.append(slot) }
    }

    /// Lets all of them go.
    mutating func removeAll() { slots = [] }
}
