import Glibc

/// What is left to read of an open file, in pieces.
public struct Pieces {
    private let descriptor: Int32
    private var buffer: [UInt8]

    /// The rest of a file, in pieces of at most so many bytes.
    public init(_ descriptor: Int32, ofAtMost size: Int = 1 << 16) {
        self.descriptor = descriptor
        buffer = [UInt8](repeating: 0, count: size)
    }

    /// The next piece; nil at the end.
    public mutating func next() throws(FileFailure) -> ArraySlice<UInt8>? {
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { return buffer[..<count] }
            if count == 0 { return nil }
            guard errno == EINTR else { throw .system(errno) }
        }
    }
}
