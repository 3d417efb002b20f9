import Glibc
import SmallFiles

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
        do throws(FileFailure) {
            return try WholeFile.bytes(path, atMost: maximumSize)
        } catch {
            throw Unreadable(errno: error.number)
        }
    }
}
