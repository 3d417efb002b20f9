import CLinux
import Glibc

/// A move of files from one directory into another that never replaces any.
///
/// Local file systems can rename that way (renameat2(2), RENAME_NOREPLACE). NFS, CephFS and some others
/// can't, and answer with EINVAL: there, a file gets its new name as a link, and then loses the old one.
struct Move: Sendable {
    /// True if links are used even where renames could be.
    let usesLinksOnly: Bool

    /// Moves a file; returns the errno, 0 for success.
    func move(_ name: String, in from: Directory, to newName: String, in to: Directory) -> CInt {
        if !usesLinksOnly {
            if CLinux_rename_noreplace(from.descriptor, name, to.descriptor, newName) == 0 { return 0 }
            guard Self.isRefusal(errno) else { return errno }
        }
        return CLinux_move_by_link(from.descriptor, name, to.descriptor, newName) == 0 ? 0 : errno
    }

    /// Moves a file to a name that is ours alone, where nothing of value can be; returns the errno, 0 for
    /// success.
    ///
    /// This is one step on every file system, so what arrives is what had the name, whoever puts another
    /// file there at that moment.
    func moveBack(_ name: String, in from: Directory, to newName: String, in to: Directory) -> CInt {
        // Between two names of one file, rename(2) does nothing and says that all is well.
        if unlinkat(to.descriptor, newName, 0) != 0, errno != ENOENT { return errno }
        return renameat(from.descriptor, name, to.descriptor, newName) == 0 ? 0 : errno
    }

    /// Returns whether an error says that the file system has no such renames (rename(2)).
    private static func isRefusal(_ number: CInt) -> Bool {
        number == EINVAL || number == ENOSYS || number == EOPNOTSUPP
    }
}
