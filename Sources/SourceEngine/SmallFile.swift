import Glibc

/// Reads files that people have written, and that are small.
enum SmallFile {
    /// The reason for which a file isn't read, as a clause.
    struct Problem: Error {
        var words: String
    }

    /// Returns a file's bytes.
    ///
    /// Nothing but a regular file is read: a FIFO would be waited for, and a device may have no end.
    static func read(_ path: String, atMost limit: Int) throws(Problem) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            throw Problem(words: "it can't be read (\(String(cString: strerror(errno))))")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Problem(words: "it is not a regular file")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw Problem(words: "it can't be read (\(String(cString: strerror(errno))))")
            }
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        guard bytes.count <= limit else { throw Problem(words: "it has more than \(limit) bytes") }
        return bytes
    }
}
