/// A kind of obstacle that keeps work from being begun.
///
/// The raw values are the words of the API.
public enum HoldKind: String, CaseIterable, Sendable {
    /// There is too little room on the disk.
    case disk
    /// The machine has no route to other networks, or nothing can be reached.
    case network
    /// A host asks everybody to wait.
    case host
    /// The proxy refuses requests, or can't be reached.
    case proxy
    /// A portal answers instead of the hosts, as in trains before somebody logs in.
    case portal
    /// The machine's clock is wrong.
    case clock
    /// The directories of documents or of unfinished files are not where they should be, or can't be used.
    case storage
    /// The timetable doesn't allow transfers now.
    case hours
    /// The connection is metered.
    case metered
    /// Documents that may be removed to make room take up all that they may.
    case room
}

/// A cause for which nothing is begun at a host.
///
/// The raw values are the words of the API.
public enum HostWaitKind: String, CaseIterable, Sendable {
    /// The host asks everybody to wait.
    case asked
    /// The host fails: it answers 503 without a word of how long, or can't be reached.
    case failing
    /// The host's certificate isn't trusted.
    case certificate
    /// The host asks for a browser, as those do that want to keep programs away.
    case challenge
}
