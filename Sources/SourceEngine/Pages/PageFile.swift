import Crypto
import Glibc
import Vocabulary

/// The files that pages lie in while they are read.
enum PageFile {
    /// The SHA-256 of a file in lower-case hex; nil where it can't be read.
    static func sha256(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            hash.update(data: buffer.prefix(count))
        }
        return hash.finalize().hexText
    }

    /// Returns whether there is anything at a path, or it can't be said.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    /// Removes a file, where there is one.
    static func remove(_ path: String) { unlink(path) }

    /// Makes the folder for pages, and empties it of all but the lists that are still read.
    static func prepare(_ directory: String, keeping kept: Set<String>) {
        mkdir(directory, 0o700)
        guard let entries = opendir(directory) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != "..", !kept.contains(name) { unlink("\(directory)/\(name)") }
        }
    }
}
