import Glibc

/// Reads small text files.
enum TextFile {
    /// The error of an unreadable file, with its errno.
    struct Unreadable: Error {
        let errno: Int32
        var message: String { String(cString: strerror(errno)) }
    }

    /// The largest file in bytes, more than any settings file needs.
    static let maximumSize = 1 << 20

    /// Returns the text of a file.
    static func read(_ path: String) throws(Unreadable) -> String {
        let bytes = try bytes(path)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Unreadable(errno: EILSEQ) }
        return text
    }

    /// Returns the bytes of a file.
    static func bytes(_ path: String) throws(Unreadable) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Unreadable(errno: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw Unreadable(errno: errno)
            }
            guard count > 0 else { break }
            bytes.append(contentsOf: buffer[..<count])
            guard bytes.count <= maximumSize else { throw Unreadable(errno: EFBIG) }
        }
        return bytes
    }
}
