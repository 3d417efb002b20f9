import Glibc

/// A reason why a document store could not be opened, with what to do about it.
public enum DocumentStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A directory can't be made or written.
    case cannotWrite(path: String, reason: String)
    /// The disk that a directory is on, or a quota, has no room.
    case noRoom(path: String)
    /// Another daemon keeps its partials in this directory.
    case inUse(path: String)

    /// One sentence for people.
    public var description: String {
        switch self {
        case .cannotWrite(let path, let reason):
            "can't write in \(path): \(reason); make it writable for the daemon's user, or choose another directory"
        case .noRoom(let path): "there is no room on the disk for \(path); delete what is not needed"
        case .inUse(let path):
            "another facefetchd keeps its unfinished files in \(path); stop it first, or choose another --documents-dir"
        }
    }
}

extension DocumentStoreError {
    /// What an error number of a call that makes or writes something means.
    static func writing(_ path: String, _ number: Int32) -> DocumentStoreError {
        number == ENOSPC || number == EDQUOT
            ? .noRoom(path: path) : .cannotWrite(path: path, reason: describe(number))
    }
}
