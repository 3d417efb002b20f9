import Vocabulary

/// A document that may be removed to make room, or may once somebody lets it go.
public struct EvictableDocument: Hashable, Sendable {
    /// A document's standing with respect to removal.
    public enum Standing: Hashable, Sendable {
        /// Somebody keeps it, or its job hasn't ended.
        case stays
        /// It may be removed.
        case mayGo
        /// It is being removed.
        case leaves
    }

    /// The document's job.
    public var job: JobID
    /// Its length in bytes.
    public var bytes: Int64
    /// The time when it was served last, or stored if it never was.
    public var lastUse: SteadyTime
    /// Its standing with respect to removal.
    public var standing: Standing

    public init(job: JobID, bytes: Int64, lastUse: SteadyTime, standing: Standing) {
        self.job = job
        self.bytes = bytes
        self.lastUse = lastUse
        self.standing = standing
    }
}
