import Glibc

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
