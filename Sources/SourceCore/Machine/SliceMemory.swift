/// What is kept of a slice that was read to its end.
public struct SliceMemory: Hashable, Sendable, Codable {
    /// When it was, and what its `changed` was.
    public var record: SliceRecord
    /// What its first page is asked for again with.
    public var validators: PageValidators?

    /// What is known of a slice.
    public init(record: SliceRecord, validators: PageValidators?) {
        self.record = record
        self.validators = validators
    }
}
