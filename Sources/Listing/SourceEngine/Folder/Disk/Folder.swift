import Glibc
import SmallFiles

/// An open folder, whose entries are named relative to it.
final class Folder: Sendable {
    let descriptor: Int32

    /// Opens a folder; a link is followed, since whoever wrote the settings may keep one.
    init(_ path: String) throws(FolderFailure) {
        descriptor = try FolderFailure.check(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }

    /// Opens a folder in another one, unless it is a link.
    init(_ name: EntryName, in parent: Folder) throws(FolderFailure) {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        descriptor = try FolderFailure.check(name.withCString { openat(parent.descriptor, $0, flags) })
    }

    deinit { close(descriptor) }

    /// Numbers that tell this folder from another at the same path.
    var identity: [UInt64] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return [] }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }

    /// True if the folder is the daemon's own.
    var isOurs: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
    }

    /// Returns the names of the entries that are wanted, at most so many.
    func names(limit: Int = 20_000, where isWanted: (EntryName) -> Bool) throws(FolderFailure) -> [EntryName]
    {
        // Its own position in the folder, since one of another descriptor would be shared.
        let own = try FolderFailure.check(openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard let entries = fdopendir(own) else {
            let failure = FolderFailure(errno: errno)
            close(own)
            throw failure
        }
        defer { closedir(entries) }
        var names: [EntryName] = []
        while names.count < limit, let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { EntryName($0.prefix { $0 != 0 }) }
            if name.bytes != [46], name.bytes != [46, 46], isWanted(name) { names.append(name) }
        }
        return names
    }

    /// Returns how a regular file is; nil for anything else, and links.
    func sighting(_ name: EntryName) -> Sighting? {
        var status = stat()
        guard name.withCString({ fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else {
            return nil
        }
        return Sighting.Mark(status).map { Sighting(name: name, mark: $0) }
    }

    /// Returns whether there is an entry of any kind.
    func has(_ name: EntryName) -> Bool {
        var status = stat()
        return name.withCString { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) } == 0
            || errno != ENOENT
    }

    /// Renames an entry, perhaps into another folder, in the place of what has the new name.
    func move(_ name: EntryName, to other: EntryName, in target: Folder) throws(FolderFailure) {
        try FolderFailure.check(
            name.withCString { old in
                other.withCString { renameat(descriptor, old, target.descriptor, $0) }
            }
        )
    }

    /// Makes a folder in this one; it may be there already if `exists` says so.
    func make(_ name: EntryName, mode: mode_t, exists: Bool) throws(FolderFailure) {
        let result = name.withCString { mkdirat(descriptor, $0, mode) }
        if result < 0, !(exists && errno == EEXIST) { throw FolderFailure(errno: errno) }
    }

    /// Removes a folder if it is empty.
    func removeFolder(_ name: EntryName) { _ = name.withCString { unlinkat(descriptor, $0, AT_REMOVEDIR) } }

    /// Removes a file if it is there.
    func remove(_ name: EntryName) { _ = name.withCString { unlinkat(descriptor, $0, 0) } }

    /// Writes a file anew, never through a link.
    func write(_ text: String, to name: EntryName) throws(FolderFailure) {
        _ = name.withCString { unlinkat(descriptor, $0, 0) }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = try FolderFailure.check(name.withCString { openat(descriptor, $0, flags, 0o644) })
        defer { close(file) }
        do throws(FileFailure) { try WholeFile.write(Array(text.utf8), to: file) } catch {
            throw FolderFailure(errno: error.number)
        }
    }

    /// Has what was made, renamed and removed in it survive a power cut.
    func sync() throws(FolderFailure) { try FolderFailure.check(fsync(descriptor)) }
}

extension EntryName {
    /// Calls a function with the name as C has it.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let characters = bytes.map { CChar(bitPattern: $0) } + [0]
        return characters.withUnsafeBufferPointer { buffer in
            // There is at least the 0.
            buffer.baseAddress.map(body) ?? "".withCString(body)
        }
    }
}

extension Sighting.Mark {
    /// Reads a file's status; nil if it isn't a regular file.
    init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        func nanoseconds(_ time: timespec) -> Int64 {
            Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        }
        self.init(
            inode: UInt64(status.st_ino),
            size: Int64(status.st_size),
            modified: nanoseconds(status.st_mtim),
            changed: nanoseconds(status.st_ctim)
        )
    }
}

/// The failure of a system call.
struct FolderFailure: Error, Hashable, Sendable {
    /// The errno.
    var errno: Int32

    /// A description for people.
    var words: String { String(cString: strerror(errno)) }

    /// True if there is no room for what was to be written.
    var isLackOfRoom: Bool { errno == ENOSPC || errno == EDQUOT }

    /// True if trying again won't help.
    var isForGood: Bool { [EACCES, EPERM, ELOOP, ENXIO].contains(errno) }

    /// Throws the last call's error if it returned −1.
    @discardableResult
    static func check(_ result: Int32) throws(FolderFailure) -> Int32 {
        guard result >= 0 else { throw FolderFailure(errno: Glibc.errno) }
        return result
    }
}
