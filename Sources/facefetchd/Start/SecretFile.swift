import Glibc

/// A file of the settings that nobody else may read.
struct SecretFile {
    /// The setting that names it.
    let key: String
    /// Its path.
    let path: String

    /// The most bytes that it may have.
    private static let maximumSize = 65536

    /// Returns its lines without white space, except for empty ones and comments.
    ///
    /// - Throws: ``StartFailure`` where it can't be read, or others can read it.
    func lines() throws(StartFailure) -> [String] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw failure("can't be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw failure("is not a file")
        }
        guard status.st_mode & (S_IROTH | S_IWOTH | S_IWGRP) == 0 else {
            throw failure("can be read or changed by others: chmod 600 it, or 640 for the daemon's group")
        }
        var buffer = [UInt8](repeating: 0, count: Self.maximumSize)
        let count = read(descriptor, &buffer, Self.maximumSize)
        guard count >= 0 else { throw failure("can't be read: \(String(cString: strerror(errno)))") }
        return String(decoding: buffer[..<count], as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }

    /// Returns the failure that something is wrong with the file.
    func failure(_ words: String) -> StartFailure {
        StartFailure(status: .badSettings, description: "\(key): \(path) \(words)")
    }
}
