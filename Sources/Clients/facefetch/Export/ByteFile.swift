import Digests
import ExportFormats
import Glibc
import Sidecars
import SmallFiles
import Vocabulary

/// A file that is written from its beginning to its end, in large pieces.
final class ByteFile {
    /// The name that it has in sentences.
    let path: String
    /// The open file.
    let descriptor: Int32
    /// True if it is a terminal, which strangers' words could steer.
    private let isTerminal: Bool
    /// The number of bytes that were added so far.
    private(set) var length: Int64 = 0
    private var buffer: [UInt8] = []

    private static let piece = 1 << 20

    /// A file that is open for writing, which it closes in the end unless it is standard output.
    init(_ path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
    }

    deinit { if descriptor != STDOUT_FILENO { close(descriptor) } }

    /// Makes a file of this name, which there must be none of.
    convenience init(creating path: String, as name: String? = nil) throws(ClientError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(name ?? path, errno) }
        self.init(name ?? path, descriptor: descriptor)
    }

    /// Lets a piece of text be added behind what is there, such as a line; a terminal gets it without what could steer
    /// it.
    ///
    /// - Throws: ``ClientError`` when it can't be written, and whatever `body` throws.
    func add(_ body: (inout [UInt8]) throws -> Void) throws {
        let before = buffer.count
        try body(&buffer)
        if isTerminal {
            let line = String(decoding: buffer[before...], as: UTF8.self).lineForTerminal
            buffer.replaceSubrange(before..., with: Array(line.utf8))
        }
        length += Int64(buffer.count - before)
        if buffer.count >= Self.piece { try flush() }
    }

    /// Adds bytes.
    ///
    /// - Throws: ``ClientError`` when they can't be written.
    func add(_ bytes: [UInt8]) throws { try add { $0 += bytes } }

    /// Adds what is in a file from where it stands on, and returns how many bytes there were; `seen` gets them, too.
    ///
    /// - Throws: ``ClientError`` when one can't be read or the other can't be written.
    @discardableResult
    func copy(_ source: Int32, seen: (UnsafeRawBufferPointer) -> Void = { _ in }) throws(ClientError) -> Int64
    {
        try flush()
        var copied: Int64 = 0
        var piece = [UInt8](repeating: 0, count: Self.piece)
        while true {
            let got = read(source, &piece, piece.count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else {
                throw .unsuccessful("What goes into \(name) can't be read: \(Self.words(errno)).")
            }
            guard got > 0 else { break }
            piece[..<got].withUnsafeBytes(seen)
            try write(piece[..<got])
            copied += Int64(got)
        }
        length += copied
        return copied
    }

    /// Adds a job's document, and returns its SHA-256; nil if that or its length isn't what was stored, and then the
    /// file ends where it did before.
    ///
    /// - Throws: ``ClientError`` when one can't be read or the other can't be written.
    func add(_ document: StoredDocument, of job: ExportedJob) throws(ClientError) -> String? {
        try flush()
        let before = length
        var hash = SHA256()
        let count = try copy(document.descriptor) { hash.update(bufferPointer: $0) }
        let sum = hash.finalize().hexText
        if count == document.length, job.sha256 ?? sum == sum { return sum }
        try cut(to: before)
        return nil
    }

    /// Takes back what was added behind an offset.
    ///
    /// - Throws: ``ClientError`` when it can't be.
    func cut(to end: Int64) throws(ClientError) {
        try flush()
        guard ftruncate(descriptor, off_t(end)) == 0, lseek(descriptor, off_t(end), SEEK_SET) >= 0 else {
            throw Self.failure(path, errno)
        }
        length = end
    }

    /// Writes what is kept.
    ///
    /// - Throws: ``ClientError`` when it can't be written.
    func flush() throws(ClientError) {
        let kept = buffer
        buffer.removeAll(keepingCapacity: true)
        try write(kept[...])
    }

    /// Goes back to the beginning, to read what was written.
    ///
    /// - Throws: ``ClientError`` when it can't be written.
    func rewind() throws(ClientError) {
        try flush()
        lseek(descriptor, 0, SEEK_SET)
    }

    /// Sees to it that all is on the disk.
    ///
    /// - Throws: ``ClientError`` when it isn't.
    func sync() throws(ClientError) {
        try flush()
        // What has no disk behind it, such as a pipe, can't be synced, and needn't be.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
            throw Self.failure(path, errno)
        }
    }

    private var name: String { path.safeForTerminal }

    private func write(_ bytes: ArraySlice<UInt8>) throws(ClientError) {
        do throws(FileFailure) { try WholeFile.write(bytes, to: descriptor) } catch {
            throw Self.failure(path, error.number)
        }
    }

    /// The sentence for what can't be written.
    static func failure(_ path: String, _ number: Int32) -> ClientError {
        .unsuccessful("\(path.safeForTerminal) can't be written: \(words(number)).")
    }

    private static func words(_ number: Int32) -> String { String(cString: strerror(number)) }
}
