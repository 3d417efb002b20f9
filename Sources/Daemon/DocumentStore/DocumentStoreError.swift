import Glibc

/// The reason why a document store could not be opened, with advice on what to do.
public enum DocumentStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A directory can't be created or written.
    case cannotWrite(path: String, reason: String)
    /// A directory can't be created or written now, which may pass by itself: a disk that is mounted read-only or not at
    /// all, or rights that somebody changes.
    case refuses(path: String, reason: String)
    /// A directory's disk, or a quota, has no room.
    case noRoom(path: String)
    /// The file system of a directory can move files only by replacing what has their new name.
    case cannotMove(path: String)
    /// Files of a directory have another inode number once they have another name.
    case forgetsInodes(path: String)
    /// Another daemon keeps its partials in this directory.
    case inUse(path: String)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .cannotWrite(let path, let reason), .refuses(let path, let reason):
            "can't write in \(path): \(reason); make it writable for the daemon's user, or choose another directory"
        case .noRoom(let path): "there is no room on the disk for \(path); delete what is not needed"
        case .cannotMove(let path):
            "the file system of \(path) has neither hard links nor renames that replace nothing, which keep one document "
                + "from taking another's place; choose another --documents-dir"
        case .forgetsInodes(let path):
            "files in \(path) get another inode number with another name, so that after a crash none could be known again; "
                + "mount it so that they keep theirs (mergerfs: use_ino), or choose another --documents-dir"
        case .inUse(let path):
            "another facefetchd keeps its unfinished files in \(path); stop it first, or choose another --documents-dir"
        }
    }
}

extension DocumentStoreError {
    /// The error numbers that say that nothing can be written to a directory now, whatever it is.
    static let refusals: Set<Int32> = [
        EROFS, EACCES, EPERM, EIO, ENOENT, ESTALE, ENODEV, ENXIO, ENOTCONN, ETIMEDOUT, EHOSTDOWN,
    ]

    /// Returns what an error number means for a call that creates or writes something.
    static func writing(_ path: String, _ number: Int32) -> DocumentStoreError {
        switch number {
        case ENOSPC, EDQUOT: .noRoom(path: path)
        case let number where refusals.contains(number): .refuses(path: path, reason: describe(number))
        default: .cannotWrite(path: path, reason: describe(number))
        }
    }
}
