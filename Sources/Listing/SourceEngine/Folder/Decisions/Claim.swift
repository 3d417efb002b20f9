/// A file that was taken: it lies in a hidden folder of its own, whose name says when that was and which
/// file it is.
///
/// That name is also the key under which its list is added. So a list is added once, however often the daemon
/// is killed before the file has its last name; and a file of the same name that comes later is another list.
struct Claim: Hashable, Sendable {
    /// The name of the hidden folder.
    let folder: EntryName
    /// The name that the file had, and has in there.
    let name: EntryName

    private static let prefix = ".taken-"

    init(folder: EntryName, name: EntryName) { (self.folder, self.name) = (folder, name) }

    /// A claim to a file at a time in microseconds since 1970.
    init(_ sighting: Sighting, at time: Int64) {
        let (when, which) = (UInt64(bitPattern: time), sighting.mark.inode)
        folder = EntryName("\(Self.prefix)\(String(when, radix: 16))-\(String(which, radix: 16))")
        name = sighting.name
    }

    /// Returns whether a name is that of such a folder.
    static func isFolder(_ name: EntryName) -> Bool { name.hasPrefix(prefix) }

    /// The key that makes adding its list again harmless; `part` counts the batches of a long list.
    func key(part: Int) -> String { "watch\(folder.text)-\(part)" }
}
