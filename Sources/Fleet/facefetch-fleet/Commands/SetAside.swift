import Glibc

/// Bytes that are wanted later; the most of them lie in a file without a name, however many there are.
struct SetAside {
    /// The latest bytes, which aren't in the file.
    var bytes: [UInt8] = []
    private let limit: Int
    private var file: TemporaryFile?

    /// Nothing yet; so many bytes stay in memory.
    init(limit: Int) { self.limit = limit }

    /// Moves the bytes to the file if they are many.
    mutating func spill() throws(FleetFailure) {
        guard bytes.count > limit else { return }
        if file == nil { file = try TemporaryFile() }
        try file?.append(bytes)
        bytes = []
    }

    /// Reads all of them, from the first, piece by piece.
    ///
    /// - Throws: ``FleetFailure``, also what `take` throws
    func read(_ take: ([UInt8]) throws(FleetFailure) -> Void) throws(FleetFailure) {
        if let file { try file.read(take) }
        try take(bytes)
    }
}

/// A file without a name, which goes when it is closed.
private final class TemporaryFile {
    private let file: UnsafeMutablePointer<FILE>

    init() throws(FleetFailure) {
        guard let file = tmpfile() else { throw Self.failure() }
        self.file = file
    }

    deinit { fclose(file) }

    private static func failure() -> FleetFailure {
        FleetFailure(.unsuccessful, "A temporary file can't be used: \(String(cString: strerror(errno))).")
    }

    func append(_ bytes: [UInt8]) throws(FleetFailure) {
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Self.failure() }
    }

    func read(_ take: ([UInt8]) throws(FleetFailure) -> Void) throws(FleetFailure) {
        guard fflush(file) == 0, fseek(file, 0, SEEK_SET) == 0 else { throw Self.failure() }
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            guard ferror(file) == 0 else { throw Self.failure() }
            guard count > 0 else { return }
            try take(Array(piece.prefix(count)))
        }
    }
}
