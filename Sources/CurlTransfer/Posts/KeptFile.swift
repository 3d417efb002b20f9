import Glibc

/// A small file of what has to be posted, which only its owner can read and which survives a power cut.
public enum KeptFile {
    /// The file can't be written.
    public struct Failure: Error, CustomStringConvertible {
        /// The system's error number.
        public var number: Int32
        /// The system's message.
        public var description: String { String(cString: strerror(number)) }

        public init(number: Int32) { self.number = number }
    }

    /// Writes a file as a whole: whoever reads it finds the old one or the new one.
    ///
    /// - Throws: ``Failure``
    public static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        defer { close(descriptor) }
        try write(bytes, to: descriptor)
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw Failure(number: errno) }
        let directory = open(
            String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]),
            O_RDONLY | O_CLOEXEC
        )
        guard directory >= 0 else { throw Failure(number: errno) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw Failure(number: errno) }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw Failure(number: errno) }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
