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
