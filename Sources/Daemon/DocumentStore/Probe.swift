import Glibc

/// Finds out what two directories allow by trying it.
///
/// Device numbers don't tell, because even bind mounts of one file system can't be renamed across.
enum Probe {
    /// Returns whether files can be moved from one directory into the other.
    ///
    /// - Throws: ``DocumentStoreError`` if one of them can't be written.
    static func canMove(_ move: Move, from: Directory, to: Directory) throws(DocumentStoreError) -> Bool {
        let name = ".facefetch-probe-\(getpid())"
        try make(name, in: from)
        defer {
            _ = unlinkat(from.descriptor, name, 0)
            _ = unlinkat(to.descriptor, name, 0)
        }
        let inode = from.file(name)?.inode
        switch move.move(name, in: from, to: name, in: to) {
        case 0:
            guard to.file(name)?.inode == inode else { throw .forgetsInodes(path: to.path) }
            return true
        case EEXIST: return true
        case EXDEV: break
        case EPERM, EOPNOTSUPP, EMLINK: throw .cannotMove(path: to.path)
        case let number: throw .writing(to.path, number)
        }
        // They are on two file systems, so it remains to be seen whether the documents directory can be
        // written.
        try make(name, in: to)
        return false
    }

    /// Returns why nothing can be written to a directory; nil if it can be, or if it is only descriptors that are lacking,
    /// or room that the disk says is lacking.
    ///
    /// It takes so many bytes for a moment: where a quota is used up, or no inode is left, a disk says that there is room,
    /// and refuses all the same.
    ///
    /// The file that it makes has the same name each time, so that a crash leaves one at most, which ``clean(_:)`` and
    /// the next try remove.
    static func refusal(of directory: Directory, room: Int64 = 8 << 20) -> String? {
        let name = trialName
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let file = openat(directory.descriptor, name, flags, 0o600)
        guard file >= 0 else { return words(for: errno, in: directory, room: room) }
        defer {
            close(file)
            _ = unlinkat(directory.descriptor, name, 0)
        }
        // A disk that fails may take what it can't keep.
        guard write(file, name, 1) == 1, fdatasync(file) == 0 else {
            return words(for: errno, in: directory, room: room)
        }
        let number = posix_fallocate(file, 0, off_t(room))
        guard number == ENOSPC || number == EDQUOT else { return nil }
        return words(for: number, in: directory, room: room)
    }

    /// Removes what a crash in the middle of a try has left in a directory.
    static func clean(_ directory: Directory) { _ = unlinkat(directory.descriptor, trialName, 0) }

    private static var trialName: String { ".facefetch-trial-\(geteuid())" }

    /// Returns the system's words for an error that says that a disk refuses all writing; nil for others.
    private static func words(for number: CInt, in directory: Directory, room: Int64) -> String? {
        let words = String(cString: strerror(number))
        guard number == ENOSPC || number == EDQUOT else {
            return DocumentStoreError.refusals.contains(number) ? words : nil
        }
        var status = statvfs()
        guard fstatvfs(directory.descriptor, &status) == 0 else { return nil }
        let free = Int64(status.f_bavail) * Int64(status.f_frsize)
        guard free >= 2 * room else { return nil }
        let cause =
            if number == EDQUOT {
                "a quota is used up"
            } else if status.f_files > 0, status.f_favail == 0 {
                "no inodes are left (df -i)"
            } else {
                "a quota is used up, or there are no inodes (df -i)"
            }
        return "\(words), although \(free >> 20) MiB are free: \(cause)"
    }

    private static func make(_ name: String, in directory: Directory) throws(DocumentStoreError) {
        let file = openat(directory.descriptor, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .writing(directory.path, errno) }
        close(file)
    }
}
