import Glibc

/// Files that only their owner may read, whatever the umask.
enum PrivateFile {
    /// Creates an empty file, or revokes the access of group and others to an existing one.
    ///
    /// SQLite takes an empty file for a new database, and gives the log and the index beside it the same
    /// mode. Errors are not reported here, because they recur when SQLite opens the file.
    static func prepare(path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        _ = fchmod(descriptor, 0o600)
        close(descriptor)
    }
}
