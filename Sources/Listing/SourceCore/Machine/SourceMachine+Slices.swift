/// The records of slices.
extension SourceMachine {
    /// Has a slice that was read before read again by the next walk, whether it has changed or not.
    mutating func forgetChange(of slice: Slice) {
        guard var memory = slices[slice.key] else { return }
        memory.record.changed = nil
        memory.validators = nil
        slices[slice.key] = memory
        finished[slice.key] = memory
    }

    /// A slice was read to its end.
    mutating func finish(_ slice: Slice, in walk: Int) {
        let record = SliceRecord(changed: slice.changed, completedIn: walk)
        let memory = SliceMemory(
            record: record,
            validators: state.freshFirst ?? slices[slice.key]?.validators
        )
        slices[slice.key] = memory
        finished[slice.key] = memory
    }

    /// The slices whose records are to be stored with the page.
    public mutating func takeFinishedSlices() -> [String: SliceMemory] {
        defer { finished = [:] }
        return finished
    }
}

/// The record of a slice that was read to its end.
public struct SliceMemory: Hashable, Sendable, Codable {
    /// The time of that reading, and the value of `changed` then.
    public var record: SliceRecord
    /// The validators with which its first page is requested again.
    public var validators: PageValidators?

    public init(record: SliceRecord, validators: PageValidators?) {
        self.record = record
        self.validators = validators
    }
}
