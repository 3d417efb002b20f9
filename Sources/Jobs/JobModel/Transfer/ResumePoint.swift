import Vocabulary

/// The offset at which a partial is resumed, with the proof that the server still has the same file.
public struct ResumePoint: Hashable, Sendable {
    /// The first byte to ask for; all bytes before it are in the partial and trusted.
    public var offset: Int64
    /// The length of the whole file in bytes, as the server announced it.
    public var total: Int64?
    /// The validator of the version that the partial came from.
    public var validator: Validator

    /// The host and port that the partial came from (``JobURL/hostKey``); nil if that isn't known.
    public var host: String?

    /// The segments that the partial holds, if they aren't just the bytes before `offset`.
    public var held: SegmentMap?
    /// The bytes of `held` that have not been synced, and that the store doesn't know of.
    public var unsyncedCount: Int64

    public init(
        offset: Int64,
        total: Int64?,
        validator: Validator,
        host: String? = nil,
        held: SegmentMap? = nil,
        unsyncedCount: Int64 = 0
    ) {
        self.offset = offset
        self.total = total
        self.validator = validator
        self.host = host
        self.held = held
        self.unsyncedCount = unsyncedCount
    }

    /// True if the partial is as long as the file, so that nothing is left to ask for.
    public var isComplete: Bool { offset == total }
}
