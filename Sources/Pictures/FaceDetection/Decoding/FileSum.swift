import Digests
import Glibc
import Vocabulary

/// The SHA-256 of a file, to whose bytes nothing else is done.
public enum FileSum {
    /// Checks that an open file has a sum, given in lower-case hexadecimal; its position stays.
    ///
    /// - Throws: ``UnreadablePicture`` if it has another, or can't be read.
    public static func check(_ sum: String, of descriptor: Int32) throws(UnreadablePicture) {
        var hash = SHA256()
        var piece = [UInt8](repeating: 0, count: 1 << 18)
        var place: off_t = 0
        while true {
            let count = pread(descriptor, &piece, piece.count, place)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw UnreadablePicture("can't be read: \(String(cString: strerror(errno)))")
            }
            if count == 0 { break }
            piece.withUnsafeBytes {
                hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<count]))
            }
            place += off_t(count)
        }
        guard hash.finalize().hexText == sum else {
            throw UnreadablePicture("is not the picture that was looked at: look again (facefetch detect)")
        }
    }
}
