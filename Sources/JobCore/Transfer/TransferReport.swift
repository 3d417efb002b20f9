/// A report by the transfer thread on one transfer, in this order: `restarting` before a body that takes
/// the place of what the partial holds, at most one `began` for each body it accepts, any number of
/// `progressed`, `synced` and `kept`, one `ended`.
public enum TransferReport: Hashable, Sendable {
    /// The server sends the whole file though it was asked for the rest.
    ///
    /// The partial is still as it was, and the body waits to hear that the store claims nothing of it
    /// any more: a crash between the first byte of the new body and a commit would leave one version of
    /// the file under the validator of another.
    case restarting(reason: String)
    /// A body was accepted, and its first byte goes to `start.offset`.
    case began(TransferStart)
    /// The partial holds this many bytes.
    case progressed(bytes: Int64)
    /// The partial's first bytes, so many of them, are on the disk for good.
    case synced(bytes: Int64)
    /// The file comes in segments, or is about to, and these bytes of it are on
    /// the disk for good. The transfer waits to hear that each of these is in the
    /// store: before the first the partial's length must mean nothing, and
    /// after any only so much more may be lost.
    case kept(SegmentMap)
    /// The transfer is over. Nothing follows.
    case ended(TransferEnd)
}

/// A body that was accepted.
public struct TransferStart: Hashable, Sendable {
    /// The way in which the body continues the partial.
    public enum Mode: Hashable, Sendable {
        /// The request asked for the whole file and gets it.
        case fresh
        /// The partial goes on where it was cut off; the server proved that it may.
        case resumed
        /// The partial was emptied after ``TransferReport/restarting(reason:)``, and the file comes from
        /// its first byte.
        case restarted(reason: String)
    }

    /// How the body continues the partial.
    public var mode: Mode
    /// Bytes that were in the partial before this body.
    public var offset: Int64
    /// Length of the whole file, where the server tells.
    public var total: Int64?
    /// What a later resume can prove itself with.
    public var validator: Validator?
    /// The name that the server suggests (RFC 6266), as it wrote it: not safe to use as it is.
    public var suggestedName: String?

    /// A body that was accepted.
    public init(
        mode: Mode,
        offset: Int64,
        total: Int64?,
        validator: Validator?,
        suggestedName: String? = nil
    ) {
        self.mode = mode
        self.offset = offset
        self.total = total
        self.validator = validator
        self.suggestedName = suggestedName
    }
}

/// The end of a transfer.
public enum TransferEnd: Hashable, Sendable {
    /// The whole file is in the partial: `length` bytes. `lengthProven` is
    /// false for a body that only the closing connection ended (RFC 9112 §8).
    case completed(length: Int64, lengthProven: Bool)
    /// The partial can't be gone on with; ask again for the whole file.
    case mustRestart(reason: String)
    /// Cut off; what is in the partial may be gone on with. Worth another try,
    /// no earlier than `retryAfter` seconds from now where the server said so.
    case interrupted(JobFailure, retryAfter: Double?)
    /// The disk failed, and nothing in the partial can be relied on any more.
    case damaged(JobFailure)
    /// No further try can help.
    case refused(JobFailure)
    /// Stopped because it was asked to be.
    case stopped
}
