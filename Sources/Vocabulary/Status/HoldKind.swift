/// A kind of obstacle that keeps work from being begun.
///
/// The raw values are the words of the API.
public enum HoldKind: String, CaseIterable, Sendable {
    /// There is too little room on the disk.
    case disk
    /// The machine has no route to other networks.
    case network
    /// The directories of documents or of unfinished files are not where they should be, or can't be used.
    case storage
    /// The timetable doesn't allow transfers now.
    case hours
    /// The connection is metered.
    case metered
}
