/// Where a partial goes on, and what proves that the server still has the same file.
public struct ResumePoint: Hashable, Sendable {
    /// Bytes in the partial that are believed; the first byte asked for.
    public var offset: Int64
    /// Length of the whole file, as the server announced it.
    public var total: Int64?
    /// What the partial was fetched under.
    public var validator: Validator

    /// A point to go on from.
    public init(offset: Int64, total: Int64?, validator: Validator) {
        self.offset = offset
        self.total = total
        self.validator = validator
    }
}
