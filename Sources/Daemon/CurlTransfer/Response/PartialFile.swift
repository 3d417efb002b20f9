import Glibc
import JobModel

/// An open partial, with the offset of its next byte.
///
/// It isn't synced here, because that takes long and is up to the document store.
struct PartialFile: ~Copyable {
    /// The open file, shared with those who sync it.
    let file: OpenFile
    private var descriptor: Int32 { file.descriptor }
    /// The number of bytes in the partial.
    private(set) var length: Int64

    private init(descriptor: Int32, length: Int64) {
        file = OpenFile(descriptor: descriptor)
        self.length = length
    }

    /// Opens a partial for a transfer's start: either emptied, or cut to the part that is trusted.
    ///
    /// `held` says what it holds, if it has holes; `ceiling` is how high its descriptor may be.
    static func open(
        _ path: String,
        for start: TransferStart,
        held: SegmentMap? = nil,
        under ceiling: DescriptorCeiling
    ) throws(PartialError) -> PartialFile {
        guard case .resumed = start.mode else {
            // Never follows a link, since nobody else may choose the file behind our name.
            let descriptor = ceiling.admit(
                Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
            )
            guard descriptor >= 0 else { throw .system(errno) }
            return PartialFile(descriptor: descriptor, length: 0)
        }
        let descriptor = ceiling.admit(Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW))
        guard descriptor >= 0 else {
            // Where its directory is gone as well, nothing is known about the partial.
            throw errno == ENOENT && hasDirectory(path) ? .gone : .system(errno)
        }
        let end = held?.end ?? start.offset
        let partial = PartialFile(descriptor: descriptor, length: end)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        guard Int64(status.st_size) >= end else { throw .short(Int64(status.st_size)) }
        if Int64(status.st_size) > end, ftruncate(descriptor, off_t(end)) != 0 {
            throw .system(errno)
        }
        return partial
    }

    /// Returns the bytes by which a picture is known, of a partial; fewer, or none, where they can't be read.
    static func firstBytes(at path: String) -> [UInt8] {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: PictureKind.signatureLength)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    /// Returns whether the directory that a path is in exists; errno is ENOENT if it doesn't.
    private static func hasDirectory(_ path: String) -> Bool {
        path.lastIndex(of: "/").map { access(String(path[..<$0]), F_OK) == 0 } ?? true
    }

    /// Appends bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(PartialError) {
        try write(bytes, at: length)
    }

    /// Writes bytes at an offset, which may be beyond the partial's end and leave a hole.
    mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(PartialError) {
        var rest = bytes
        var offset = offset
        while let base = rest.baseAddress, !rest.isEmpty {
            let written = pwrite(descriptor, base, rest.count, off_t(offset))
            if written < 0 {
                if errno == EINTR { continue }
                throw .system(errno)
            }
            offset += Int64(written)
            length = max(length, offset)
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    /// Empties the partial.
    mutating func empty() {
        _ = ftruncate(descriptor, 0)
        length = 0
    }

    /// The bytes that an ordinary user can still write to its disk; nil if unknown.
    var freeBytes: Int64? {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { return nil }
        return Int64(status.f_bavail) * Int64(status.f_frsize)
    }

    /// Returns the bytes that an ordinary user can still write to the disk of a directory; nil if unknown.
    static func freeBytes(at directory: String) -> Int64? {
        var status = statvfs()
        guard statvfs(directory, &status) == 0 else { return nil }
        return Int64(status.f_bavail) * Int64(status.f_frsize)
    }
}

/// A file that stays open until nobody uses it any more.
///
/// Threads that sync it share its descriptor, because another one may not be available.
final class OpenFile: Sendable {
    let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { _ = close(descriptor) }
}

/// The reason why a partial can't be opened or written.
enum PartialError: Error, Equatable {
    /// The file doesn't exist.
    case gone
    /// The file has only this many bytes, fewer than it should be continued from.
    case short(Int64)
    /// A system error, given by its errno.
    case system(Int32)

    /// The resulting end of the transfer.
    var end: TransferEnd {
        switch self {
        case .gone:
            .mustRestart(reason: "the partial file is gone")
        case .short(let length):
            .mustRestart(reason: "the partial file has only \(length) bytes")
        case .system(ENOSPC), .system(EDQUOT):
            .interrupted(failure("written"), retryAfter: nil)
        case .system(EIO):
            // Earlier data may be lost as well.
            .damaged(failure("written"))
        case .system:
            .interrupted(failure("written"), retryAfter: nil)
        }
    }

    /// The resulting end of the transfer if it was a sync that failed.
    ///
    /// That is final whatever the reason: the kernel may have dropped the data and still marked the
    /// pages clean (fsync(2)), so nothing in the partial can be trusted.
    var endOfSync: TransferEnd { .damaged(failure("synced")) }

    private func failure(_ verb: String) -> JobFailure {
        if case .system(let number) = self, let shortage = JobFailure.shortage(errorNumber: number) {
            return shortage
        }
        return switch self {
        case .system(ENOENT), .system(ESTALE):
            JobFailure(.storageLost, "the directory of unfinished files is not there any more")
        case .system(ENOSPC): JobFailure(.diskFull, "the disk is full")
        case .system(EDQUOT): JobFailure(.diskFull, "the disk quota is used up")
        case .system(let number):
            JobFailure(
                .storageError,
                "the partial file can't be \(verb): \(String(cString: strerror(number)))"
            )
        case .gone, .short: JobFailure(.storageError, "the partial file can't be \(verb)")
        }
    }
}
