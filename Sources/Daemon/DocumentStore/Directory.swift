import CLinux
import Glibc
import JobModel
import SmallFiles

/// An open directory.
///
/// Files in it are named relative to it, so that a renamed parent can't lead a write elsewhere, and it
/// can be synced.
final class Directory: Sendable {
    let path: String
    let descriptor: CInt
    /// True if the path was that of a link when the directory was opened.
    let isLink: Bool
    /// True if the directory can be told from others: right after it was opened, it was found under its path.
    let isComparable: Bool

    /// Opens a directory, creating it and its missing parents first.
    convenience init(creating path: String, mode: mode_t) throws(DocumentStoreError) {
        let absolute = Self.absolute(path)
        try Self.make(absolute, mode: mode)
        try self.init(at: absolute, mayBeLink: true)
    }

    /// Opens the directory that has taken another one's place.
    convenience init(opening other: Directory) throws(DocumentStoreError) {
        try self.init(at: other.path, mayBeLink: other.isLink)
    }

    /// Opens a directory as it is; nil where there is none, or a link.
    convenience init?(existing path: String) {
        do throws(DocumentStoreError) { try self.init(at: path, mayBeLink: false) } catch { return nil }
    }

    /// Opens a directory as it is, or the one that a link leads to; nil where there is none.
    convenience init?(following path: String) {
        do throws(DocumentStoreError) { try self.init(at: path, mayBeLink: true) } catch { return nil }
    }

    private init(at path: String, mayBeLink: Bool) throws(DocumentStoreError) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (mayBeLink ? 0 : O_NOFOLLOW)
        let descriptor = open(path, flags)
        guard descriptor >= 0 else { throw .writing(path, errno) }
        var status = stat()
        let isLink = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
        self.descriptor = descriptor
        self.path = path
        self.isLink = isLink
        isComparable = Self.whereabouts(of: descriptor, at: path, isLink: isLink) == .here
    }

    /// Takes over the descriptor of a folder in the documents directory.
    init(owning descriptor: CInt, path: String) {
        self.descriptor = descriptor
        self.path = path
        (isLink, isComparable) = (false, false)
    }

    deinit { close(descriptor) }

    /// Syncs the directory itself, so that entries created, renamed or removed so far survive a power
    /// cut.
    ///
    /// Returns the errno, 0 for success.
    func sync() -> CInt { fsync(descriptor) == 0 ? 0 : errno }

    /// Returns whether the directory has an entry with this name, of any type.
    func holds(_ name: String) -> Bool {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Returns whether it is certain that there is nothing at a path: not where somebody forbids to look.
    func lacks(_ path: String) -> Bool {
        var status = stat()
        return fstatat(descriptor, path, &status, AT_SYMLINK_NOFOLLOW) != 0
            && (errno == ENOENT || errno == ENOTDIR)
    }

    /// Returns the mark of a regular file; nil if there is none with this name.
    func file(_ name: String) -> FileMark? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return FileMark(status)
    }

    private static func absolute(_ path: String) -> String {
        var path = path
        if !path.hasPrefix("/"), let here = getcwd(nil, 0) {
            path = String(cString: here) + "/" + path
            free(here)
        }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    private static func make(_ path: String, mode: mode_t) throws(DocumentStoreError) {
        var failed = 0
        guard CLinux_make_directories(path, mode, &failed) == 0 else {
            let number = errno
            throw .writing(String(decoding: path.utf8.prefix(failed), as: UTF8.self), number)
        }
    }
}

/// Returns the system's message for an error number.
func describe(_ number: CInt) -> String { String(cString: strerror(number)) }

/// Returns whether an error number says that a file, or the directory that it is in, is gone.
func isLost(_ number: CInt) -> Bool { number == ENOENT || number == ESTALE }

/// Returns the failure for an error number of work on a file: a shortage of the machine, a full disk, or
/// otherwise what could not be done.
func fileFailure(_ number: CInt, _ sentence: String) -> JobFailure {
    if let shortage = JobFailure.shortage(errorNumber: number) { return shortage }
    let isFull = number == ENOSPC || number == EDQUOT
    return JobFailure(isFull ? .diskFull : .storageError, "\(sentence): \(describe(number))")
}

extension Directory {
    /// Removes all unfinished files that lie in it.
    func removePartials() {
        for name in names() where Self.isPartial(name) { _ = unlinkat(descriptor, name, 0) }
    }

    /// True if unfinished files lie in it.
    var hasPartials: Bool { names().contains(where: Self.isPartial) }

    private static func isPartial(_ name: String) -> Bool { name.hasSuffix(".part") }

    /// The names of what lies in it; none where they can't be read.
    func names() -> [String] { (try? WholeFolder.names(descriptor)) ?? [] }

    /// Returns whether another one is the same directory.
    func isSame(as other: Directory) -> Bool {
        var (own, target) = (stat(), stat())
        return fstat(descriptor, &own) == 0 && fstat(other.descriptor, &target) == 0
            && own.st_dev == target.st_dev && own.st_ino == target.st_ino
    }
}
