import Glibc

/// The content of an answer's body.
public enum OriginBody: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// Part of a file: `count` bytes from `offset` on.
    case file(path: String, offset: Int, count: Int)

    /// Length in bytes.
    public var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, _, let count): count
        }
    }

    /// The part within these bounds.
    func part(_ bounds: Range<Int>) -> OriginBody {
        switch self {
        case .bytes(let bytes): .bytes(Array(bytes[bounds]))
        case .file(let path, let offset, _):
            .file(path: path, offset: offset + bounds.lowerBound, count: bounds.count)
        }
    }

    /// Hands out slices in order until one is refused.
    func forEachSlice(of size: Int, _ take: (ArraySlice<UInt8>) -> Bool) {
        switch self {
        case .bytes(let bytes):
            var start = 0
            while start < bytes.count {
                let end = min(start + size, bytes.count)
                guard take(bytes[start..<end]) else { return }
                start = end
            }
        case .file(let path, let offset, let count):
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            defer { close(descriptor) }
            var buffer = [UInt8](repeating: 0, count: size)
            var done = 0
            while done < count {
                let read = pread(descriptor, &buffer, min(size, count - done), off_t(offset + done))
                guard read > 0, take(buffer[..<read]) else { return }
                done += read
            }
        }
    }
}
