import Glibc

/// A file that only its owner may read, whatever the umask.
enum PrivateFile {
    /// Makes the file, empty, or takes its group and everybody else off one that is there.
    ///
    /// SQLite takes an empty file for a new database, and gives the log and the
    /// index beside it the same mode. What goes wrong here goes wrong again when SQLite opens it.
    static func prepare(path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        _ = fchmod(descriptor, 0o600)
        close(descriptor)
    }
}
