import CLinux
import Dispatch
import Glibc
import Synchronization

/// The names and URLs of jobs, in a file that is read from end to end for each search.
///
/// A million jobs take some 100 MB, which are in the page cache while searches are frequent, and are found through
/// at gigabytes a second; an index of trigrams takes three times as much, and 14 µs to write for each job. The file
/// has no name and goes with its descriptor. It is never the truth: what is found in it is looked at in the store.
final class TextFile: Sendable {
    /// A reason for going without the file.
    struct Failure: Error {
        /// The system's error number.
        var number: CInt
    }

    /// Lines to append, one for each job.
    struct Lines {
        /// The lines, and room behind them.
        private var bytes = [UInt8](repeating: 0, count: usualLength + usualLength / 4)
        private var length = 0
        fileprivate private(set) var count = 0

        /// So many bytes of them are appended at once.
        private static let usualLength = 1 << 16

        /// True if there are enough of them to be appended.
        var areMany: Bool { length >= Self.usualLength }

        /// Adds a job, or new texts of one, with the URL as people see it.
        mutating func append(_ id: Int64, name: UnsafeBufferPointer<UInt8>, url: UnsafeBufferPointer<UInt8>) {
            let most = length + idLength + name.count + url.count + 2
            if most > bytes.count { bytes += [UInt8](repeating: 0, count: max(most, bytes.count)) }
            let start = length
            length = bytes.withUnsafeMutableBufferPointer { bytes in
                var next = start
                // Six bits a byte, with values that no text in UTF-8 has at the beginning of a character, so that
                // nothing that is searched for is found in them.
                for place in 0..<idLength {
                    bytes[next] = 0x80 | UInt8(truncatingIfNeeded: id >> Int64(6 * place)) & 0x3F
                    next += 1
                }
                next += Self.fold(name, into: UnsafeMutableBufferPointer(rebasing: bytes[next...]))
                bytes[next] = separator
                next += 1
                next += Self.fold(url, into: UnsafeMutableBufferPointer(rebasing: bytes[next...]))
                bytes[next] = end
                return next + 1
            }
            count += 1
        }

        fileprivate mutating func removeAll() { (length, count) = (0, 0) }

        fileprivate func withBytes<Value>(_ body: (ArraySlice<UInt8>) -> Value) -> Value {
            body(bytes[..<length])
        }

        /// Copies a text with small letters and without line feeds; returns the number of bytes.
        private static func fold(
            _ text: UnsafeBufferPointer<UInt8>,
            into room: UnsafeMutableBufferPointer<UInt8>
        ) -> Int {
            guard let begin = text.baseAddress else { return 0 }
            guard memchr(begin, CInt(end), text.count) == nil else {
                let bytes = text.filter { $0 != end }.map(folded)
                _ = room.update(fromContentsOf: bytes)
                return bytes.count
            }
            for place in text.indices { room[place] = folded(text[place]) }
            return text.count
        }
    }

    private struct Blocks {
        /// The end of each block that was written; each has whole lines.
        var ends: [Int] = []
        /// Lines that haven't been written yet.
        var tail: [UInt8] = []
        var count = 0
    }

    private let descriptor: CInt
    private let blocks = Mutex(Blocks())

    /// The number of texts.
    var count: Int { blocks.withLock { $0.count } }

    private static let blockLength = 1 << 20
    /// Room that is left on the disk for what matters more, in bytes.
    private static let room = 256 << 20

    /// Creates an empty file in the folder of the store.
    ///
    /// - Throws: ``Failure``
    init(besideStore path: String) throws(Failure) {
        descriptor = CLinux_nameless_file("\(path)-search")
        guard descriptor >= 0 else { throw Failure(number: errno) }
    }

    deinit { close(descriptor) }

    /// Appends lines and empties them.
    ///
    /// - Throws: ``Failure`` if there is no room.
    func append(_ lines: inout Lines) throws(Failure) {
        try blocks.withLock { blocks throws(Failure) in
            lines.withBytes { blocks.tail += $0 }
            blocks.count += lines.count
            if blocks.tail.count >= Self.blockLength { try write(&blocks) }
        }
        lines.removeAll()
    }

    /// Returns the jobs of which a text contains these bytes, and perhaps some more: those whose texts have changed.
    ///
    /// Letters of ASCII match in either case, as with SQLite's LIKE.
    ///
    /// - Throws: ``Failure`` if the file can't be read.
    func jobs(containing text: String) throws(Failure) -> JobBitmap {
        let needle = text.utf8.map(Self.folded)
        return try jobs { Self.find(needle, in: $0, &$1) }
    }

    /// Returns the jobs whose URL, as people see it, has one of these hashes (``hash(ofURL:)``), and perhaps some more.
    ///
    /// - Throws: ``Failure`` if the file can't be read.
    func jobs(withURLs hashes: Set<UInt64>) throws(Failure) -> JobBitmap {
        try jobs { Self.find(hashes, in: $0, &$1) }
    }

    /// Returns the hash of a URL, in whose letters capitals count as small ones (FNV-1a).
    static func hash(ofURL url: String) -> UInt64 {
        var url = url
        return url.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(folded(byte))) &* 0x100_0000_01B3 }
        return hash
    }

    /// Returns what `find` finds in lines, which are read from end to end.
    private func jobs(
        _ find: @Sendable (UnsafeRawBufferPointer, inout JobBitmap) -> Void
    ) throws(Failure) -> JobBitmap {
        var found = JobBitmap()
        let (tail, ends) = blocks.withLock { ($0.tail, $0.ends) }
        tail.withUnsafeBytes { find($0, &found) }
        let parts = min(max(1, Int(sysconf(CInt(_SC_NPROCESSORS_ONLN)))), 4)
        let results = Mutex<[Result<JobBitmap, Failure>]>([])
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            let result = Result { () throws(Failure) in
                try jobs(find, in: ends, part: part, of: parts)
            }
            results.withLock { $0.append(result) }
        }
        for result in results.withLock({ $0 }) { found.formUnion(try result.get()) }
        return found
    }

    /// Searches every `parts`-th block, starting at `part`.
    private func jobs(
        _ find: (UnsafeRawBufferPointer, inout JobBitmap) -> Void,
        in ends: [Int],
        part: Int,
        of parts: Int
    ) throws(Failure) -> JobBitmap {
        var found = JobBitmap()
        var buffer = [UInt8](repeating: 0, count: Self.blockLength + Self.blockLength / 4)
        for block in stride(from: part, to: ends.count, by: parts) {
            let start = block == 0 ? 0 : ends[block - 1]
            let length = ends[block] - start
            if buffer.count < length { buffer = [UInt8](repeating: 0, count: length) }
            var filled = 0
            while filled < length {
                let count = buffer.withUnsafeMutableBytes {
                    pread(descriptor, $0.baseAddress?.advanced(by: filled), length - filled, start + filled)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Failure(number: count < 0 ? errno : EIO) }
                filled += count
            }
            buffer.withUnsafeBytes {
                find(UnsafeRawBufferPointer(rebasing: $0[..<length]), &found)
            }
        }
        return found
    }

    /// Adds the jobs whose lines contain the needle.
    private static func find(_ needle: [UInt8], in lines: UnsafeRawBufferPointer, _ jobs: inout JobBitmap) {
        guard let begin = lines.baseAddress else { return }
        var rest = begin
        let end = begin + lines.count
        while rest < end, let place = CLinux_find(rest, end - rest, needle, needle.count) {
            let before = CLinux_find_last(begin, place - begin, Self.end)
            jobs.insert(id(at: before.map { $0 + 1 } ?? begin))
            guard let next = memchr(place, CInt(Self.end), end - place) else { return }
            rest = UnsafeRawPointer(next) + 1
        }
    }

    /// Adds the jobs whose lines have a URL with one of the hashes.
    private static func find(
        _ hashes: Set<UInt64>,
        in lines: UnsafeRawBufferPointer,
        _ jobs: inout JobBitmap
    ) {
        guard var line = lines.baseAddress else { return }
        let end = line + lines.count
        while end - line > idLength, let lineEnd = memchr(line, CInt(Self.end), end - line) {
            let next = UnsafeRawPointer(lineEnd)
            let names = line + min(idLength, next - line)
            if let mark = memchr(names, CInt(separator), next - names) {
                let url = UnsafeRawPointer(mark) + 1
                let isWanted = hashes.contains(hash(UnsafeRawBufferPointer(start: url, count: next - url)))
                if isWanted { jobs.insert(id(at: line)) }
            }
            line = next + 1
        }
    }

    /// Reads the id at the beginning of a line.
    private static func id(at line: UnsafeRawPointer) -> Int64 {
        var id: Int64 = 0
        for place in (0..<idLength).reversed() {
            id = id << 6 | Int64(line.load(fromByteOffset: place, as: UInt8.self) & 0x3F)
        }
        return id
    }

    private func write(_ blocks: inout Blocks) throws(Failure) {
        var room = statvfs()
        guard fstatvfs(descriptor, &room) == 0 else { throw Failure(number: errno) }
        guard Int(room.f_bavail) * Int(room.f_frsize) >= Self.room + blocks.tail.count else {
            throw Failure(number: ENOSPC)
        }
        let start = blocks.ends.last ?? 0
        var written = 0
        while written < blocks.tail.count {
            let bytes = blocks.tail.count - written
            let count = blocks.tail.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress?.advanced(by: written), bytes, start + written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(number: count < 0 ? errno : ENOSPC) }
            written += count
        }
        blocks.ends.append(start + written)
        blocks.tail.removeAll(keepingCapacity: true)
    }

    /// Enough for 2^54 jobs, at six bits a byte.
    fileprivate static let idLength = 9
    fileprivate static let end = UInt8(ascii: "\n")
    /// No text in UTF-8 has this byte.
    fileprivate static let separator: UInt8 = 0xFF

    fileprivate static func folded(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}
