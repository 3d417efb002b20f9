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

    private static func make(_ name: String, in directory: Directory) throws(DocumentStoreError) {
        let file = openat(directory.descriptor, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .writing(directory.path, errno) }
        close(file)
    }
}
