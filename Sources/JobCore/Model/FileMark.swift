/// A mark by which a file is known again: as long as it is the same, nobody has written to the file, or has
/// put another in its place.
///
/// The time of the last change (`st_ctim`, inode(7)) is the kernel's and can't be set back, as
/// that of the last modification can. The device is left out: many file systems get
/// another number with each mount.
public struct FileMark: Hashable, Sendable {
    /// The file system's number for the file.
    public var inode: UInt64
    /// Length in bytes.
    public var length: Int64
    /// When its bytes were last written, in nanoseconds since 1970.
    public var modified: Int64
    /// When anything of it last changed, its name included, in nanoseconds since 1970.
    public var changed: Int64

    /// A file as the file system has it.
    public init(inode: UInt64, length: Int64, modified: Int64, changed: Int64) {
        self.inode = inode
        self.length = length
        self.modified = modified
        self.changed = changed
    }

    /// The mark as one word.
    public var text: String { "\(inode) \(length) \(modified) \(changed)" }

    /// Reads a ``text``; nil where it is none.
    public init?(text: String) {
        let words = text.split(separator: " ")
        guard words.count == 4, let inode = UInt64(words[0]) else { return nil }
        let numbers = words.dropFirst().compactMap { Int64($0) }
        guard numbers.count == 3 else { return nil }
        self.init(inode: inode, length: numbers[0], modified: numbers[1], changed: numbers[2])
    }

    /// Whether this is a sealed partial that has got its name since, and that nobody has written to.
    public func isOf(_ sealed: SealedPartial) -> Bool {
        inode == sealed.inode && length == sealed.length && modified == sealed.modified
    }
}
