/// The place where a partial goes on, and the proof that the server still has the same file.
public struct ResumePoint: Hashable, Sendable {
    /// The first byte asked for: all before it are in the partial, and believed.
    public var offset: Int64
    /// Length of the whole file, as the server announced it.
    public var total: Int64?
    /// What the partial was fetched under.
    public var validator: Validator

    /// What the partial holds, where that is not just the bytes before `offset`.
    public var held: SegmentMap?

    /// A point to go on from.
    public init(offset: Int64, total: Int64?, validator: Validator, held: SegmentMap? = nil) {
        self.offset = offset
        self.total = total
        self.validator = validator
        self.held = held
    }
}
