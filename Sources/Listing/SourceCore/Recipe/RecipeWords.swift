/// The order of a list.
public enum ListOrder: String, CaseIterable, Hashable, Sendable {
    /// No particular order.
    case unknown
    /// New items appear at the top.
    case newestFirst = "newest-first"
}

/// The extent of automatic reading of a source.
public enum WalkMode: String, CaseIterable, Hashable, Sendable {
    /// To its end.
    case follow
    /// Only as far as someone asks for.
    case lazy
}

/// The order in which slices are walked.
public enum SliceOrder: String, CaseIterable, Hashable, Sendable {
    /// In the order of the list.
    case listed
    /// In reverse.
    case reversed
}

/// A rule for fetching changed documents again.
public enum RefreshRule: String, CaseIterable, Hashable, Sendable {
    /// Each item becomes a job once.
    case never
    /// Each version of an item becomes a job.
    case ifChanged = "if-changed"
}

/// A rule for removing documents to make room.
public enum KeepRule: String, CaseIterable, Hashable, Sendable {
    /// Keep all of them.
    case all
    /// Remove them when those of all such sources exceed their size limit.
    case evictable
}

/// The queue that a source's items go to.
public enum QueueRule: String, CaseIterable, Hashable, Sendable {
    /// That of the daemon that reads the source.
    case daemon
    /// That of the fleet whose node the daemon is.
    case fleet
}

/// A rule for quotes in rows.
public enum QuoteRule: String, CaseIterable, Hashable, Sendable {
    /// A field may be in double quotes (RFC 4180).
    case double
    /// A quote is a character like any other.
    case none
}
