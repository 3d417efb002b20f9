import Glibc

/// A small file that only its owner can read and that survives a power cut.
///
/// One process writes it, one write after the other.
public enum KeptFile {
    /// Writes a file as a whole: whoever reads it finds the old one or the new one.
    public static func write(_ bytes: [UInt8], to path: String) throws(FileFailure) {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        try WholeFile.write(bytes, to: descriptor)
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw .system(errno) }
        try sync(folder: folder(of: path))
    }

    /// Syncs a folder, so that the names in it survive a power cut.
    ///
    /// - Throws: ``FileFailure``; not where the file system knows no such thing (EINVAL, fsync(2)) or can't be
    ///   written to.
    public static func sync(folder: String) throws(FileFailure) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else { throw .system(errno) }
    }

    /// Returns the folder of a path: `.` if it names none.
    public static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
