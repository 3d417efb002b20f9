/// A regular file as it was seen in the folder.
struct Sighting: Hashable, Sendable {
    /// Its name.
    var name: EntryName
    /// A mark that tells it from another, and from itself after a change.
    var mark: Mark

    /// A mark that changes with every change of a file.
    struct Mark: Hashable, Sendable {
        var inode: UInt64
        var size: Int64
        /// The times when the contents and the rest were changed, in nanoseconds since 1970.
        var modified: Int64
        var changed: Int64
    }
}
