import Glibc

/// The files that rotation has made from a log, such as `events.log.1`, `events.log-20261122` or
/// `events.log.2.gz`.
struct RotatedLogs {
    /// The newest rotated file that is not empty.
    enum Newest: Hashable {
        /// There is no such file.
        case none
        /// A file that can be read as it is.
        case plain(path: String)
        /// A file that is compressed, or that may not be read.
        case unreadable(path: String)
    }

    /// The log's own path.
    let path: String

    /// The signatures of gzip, bzip2, xz and zstd files (RFC 1952, 2.3.1; RFC 8878, 3.1.1).
    private static let compressed: [[UInt8]] = [
        [0x1F, 0x8B], [0x42, 0x5A, 0x68], [0xFD, 0x37, 0x7A, 0x58, 0x5A], [0x28, 0xB5, 0x2F, 0xFD],
    ]

    /// The log's immediate predecessor, judged by modification time.
    ///
    /// Compression programs preserve that time.
    var newest: Newest {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { String(path[...$0]) } ?? "./"
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let found = Self.names(in: directory).filter {
            $0.hasPrefix(name + ".") || $0.hasPrefix(name + "-")
        }
        .compactMap { Self.written(directory + $0) }
        // Of two with the same time, as during compression, the readable one.
        let last = found.map(\.time).max()
        let candidates = found.filter { $0.time == last }.map { Self.judge($0.path) }
        let plain = candidates.first { if case .plain = $0 { true } else { false } }
        return plain ?? candidates.first ?? Newest.none
    }

    private struct Written {
        var path: String
        /// The time in nanoseconds.
        var time: Int
    }

    /// Returns when a non-empty file was last written.
    private static func written(_ path: String) -> Written? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            return nil
        }
        let modified = status.st_mtim
        return Written(path: path, time: modified.tv_sec &* 1_000_000_000 &+ modified.tv_nsec)
    }

    private static func judge(_ path: String) -> Newest {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .unreadable(path: path) }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: 8)
        guard read(descriptor, &head, head.count) > 0 else { return .unreadable(path: path) }
        return compressed.contains { head.starts(with: $0) } ? .unreadable(path: path) : .plain(path: path)
    }

    private static func names(in directory: String) -> [String] {
        guard let entries = opendir(directory) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
            )
        }
        return names
    }
}
