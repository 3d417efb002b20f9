import Glibc
import JobCore

/// The end of the event log's file, compared with what the store has told.
struct EventLogTail {
    private let descriptor: CInt
    private let rotatedPath: String

    init(descriptor: CInt, rotatedPath: String) {
        self.descriptor = descriptor
        self.rotatedPath = rotatedPath
    }

    /// Removes a last line without a line feed: a crash cut it off, and it
    /// will be appended whole.
    func removeTornLine() {
        let size = lseek(descriptor, 0, SEEK_END)
        guard size > 0 else { return }
        let end = Self.read(descriptor, last: JobEvent.maximumLineLength * 2, of: size)
        guard end.last != 0x0A else { return }
        let kept = end.lastIndex(of: 0x0A).map { end.count - 1 - $0 } ?? end.count
        _ = ftruncate(descriptor, size - off_t(kept))
    }

    /// The events whose lines the file lacks: those after the one it ends with.
    ///
    /// Where it is empty because it was rotated, the rotated file's end counts.
    func missing(from history: [JobEvent]) -> [JobEvent] {
        guard let last = lastLine(of: descriptor) ?? lastRotatedLine() else { return history }
        // What is missing is at the end, so the search begins there.
        if let index = history.lastIndex(where: { $0.logLine == last }) {
            return Array(history[(index + 1)...])
        }
        // Older than all that is known, or somebody else's: go by the time in front.
        let time = last.prefix { $0 != " " }
        return history.filter { $0.time.rfc3339 > time }
    }

    private func lastRotatedLine() -> String? {
        let rotated = open(rotatedPath, O_RDONLY | O_CLOEXEC)
        guard rotated >= 0 else { return nil }
        defer { close(rotated) }
        return lastLine(of: rotated)
    }

    private func lastLine(of descriptor: CInt) -> String? {
        let size = lseek(descriptor, 0, SEEK_END)
        guard size > 0 else { return nil }
        let end = Self.read(descriptor, last: JobEvent.maximumLineLength * 2, of: size)
        return end.split(separator: 0x0A).last.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func read(_ descriptor: CInt, last count: Int, of size: off_t) -> [UInt8] {
        let start = max(0, size - off_t(count))
        return [UInt8](unsafeUninitializedCapacity: Int(size - start)) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, buffer.count, start))
        }
    }
}
