import CLinux
import Glibc

/// Finds out what two directories allow by trying it.
///
/// Device numbers don't tell, because even bind mounts of one file system can't be renamed across.
enum Probe {
    /// Returns whether a file can be renamed from one directory into the other.
    ///
    /// - Throws: ``DocumentStoreError`` if one of them can't be written.
    static func canRename(from: Directory, to: Directory) throws(DocumentStoreError) -> Bool {
        let name = ".facefetch-probe-\(getpid())"
        let file = openat(from.descriptor, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .writing(from.path, errno) }
        close(file)
        let result = CLinux_rename_noreplace(from.descriptor, name, to.descriptor, name)
        let number = errno
        defer {
            _ = unlinkat(from.descriptor, name, 0)
            _ = unlinkat(to.descriptor, name, 0)
        }
        if result == 0 || number == EEXIST { return true }
        guard number == EXDEV else { throw .writing(to.path, number) }
        // They are on two file systems, so it remains to be seen whether the documents directory can be
        // written.
        let other = openat(to.descriptor, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard other >= 0 else { throw .writing(to.path, errno) }
        close(other)
        return false
    }
}
