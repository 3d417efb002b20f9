import Glibc

/// A mark that identifies a file's content without reading it: while the mark stays the same, nobody has
/// written to the file or replaced it.
///
/// It relies on the time of the last status change (`st_ctim`, inode(7)), which the kernel sets and
/// nobody can set back, unlike the time of the last modification. The device number is left out, because
/// many file systems get another one with each mount.
public struct FileMark: Hashable, Sendable {
    /// The file's inode number.
    public var inode: UInt64
    /// The file's length in bytes.
    public var length: Int64
    /// The time of the last modification, in nanoseconds since 1970.
    public var modified: Int64
    /// The time of the last status change, renames included, in nanoseconds since 1970.
    public var changed: Int64

    public init(inode: UInt64, length: Int64, modified: Int64, changed: Int64) {
        self.inode = inode
        self.length = length
        self.modified = modified
        self.changed = changed
    }

    /// Creates a mark from the result of stat(2).
    public init(_ status: stat) {
        self.init(
            inode: UInt64(status.st_ino),
            length: Int64(status.st_size),
            modified: Self.nanoseconds(status.st_mtim),
            changed: Self.nanoseconds(status.st_ctim)
        )
    }

    /// Wraps around for impossible times, which does no harm because marks are only compared.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// The mark as text, for the store.
    public var text: String { "\(inode) \(length) \(modified) \(changed)" }

    /// Reads a ``text``; nil if it isn't one.
    public init?(text: String) {
        let words = text.split(separator: " ")
        guard words.count == 4, let inode = UInt64(words[0]) else { return nil }
        let numbers = words.dropFirst().compactMap { Int64($0) }
        guard numbers.count == 3 else { return nil }
        self.init(inode: inode, length: numbers[0], modified: numbers[1], changed: numbers[2])
    }

    /// Returns whether this is the mark of a sealed partial that has been renamed but not written to since.
    public func isOf(_ sealed: SealedPartial) -> Bool {
        inode == sealed.inode && length == sealed.length && modified == sealed.modified
    }
}
