/// How a list is sorted.
public enum ListOrder: String, CaseIterable, Hashable, Sendable {
    /// Nothing may be concluded from an item's place.
    case unknown
    /// New items appear at the top.
    case newestFirst = "newest-first"
}

/// How far a source is read.
public enum WalkMode: String, CaseIterable, Hashable, Sendable {
    /// To its end, by itself.
    case follow
    /// As far as somebody asks for.
    case lazy
}

/// Which slice is walked first.
public enum SliceOrder: String, CaseIterable, Hashable, Sendable {
    /// The first that is listed.
    case listed
    /// The last that is listed.
    case reversed
}

/// What becomes of http: URLs.
public enum InsecurePolicy: String, CaseIterable, Hashable, Sendable {
    /// They are fetched.
    case allow
    /// https is asked instead.
    case upgrade
    /// They are refused.
    case refuse
}

/// Whether documents that have changed are fetched again.
public enum RefreshRule: String, CaseIterable, Hashable, Sendable {
    /// An item becomes a job once.
    case never
    /// An item becomes a job once a version.
    case ifChanged = "if-changed"
}

/// Whether documents may give way.
public enum KeepRule: String, CaseIterable, Hashable, Sendable {
    /// They stay.
    case all
    /// They go when the store is over its size.
    case evictable
}

/// How the bytes of a list are read as text.
public enum TextEncoding: String, CaseIterable, Hashable, Sendable {
    /// UTF-8.
    case utf8 = "utf-8"
    /// ISO 8859-1.
    case latin1 = "latin-1"
    /// Windows-1252.
    case windows1252 = "windows-1252"
}
