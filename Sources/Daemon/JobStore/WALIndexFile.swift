import CDaemon
import Glibc
import Synchronization

/// The file beside the store (`-shm`) through which SQLite's connections share their index of the log,
/// with disk blocks allocated in advance.
///
/// SQLite writes it through a memory mapping, where lack of space is a SIGBUS instead of an error.
/// SQLite does write a byte of every 4 KiB beforehand (`unixShmMap`), but that isn't enough with smaller
/// blocks or on compressing file systems. So the file is written in full before SQLite sees it.
///
/// The first connection truncates the file unless somebody has it open, which is shown by a lock on one
/// of its bytes (`UNIX_SHM_DMS`). This type holds such a lock.
final class WALIndexFile: Sendable {
    /// The error of a file that can't be written in full.
    struct NoRoom: Error {
        var number: CInt
    }

    /// The initial length: enough for 256 MiB of log, sixteen times the length at which the log is
    /// checkpointed.
    static let length = 512 << 10
    /// A bound on the bytes that a transaction adds to the log.
    static let transactionLength: Int64 = 64 << 20

    /// Closed only after SQLite has closed the file, because a process loses its locks on a file when it
    /// closes any descriptor of it.
    private let descriptor: CInt
    /// The number of bytes known to have blocks.
    private let covered = Mutex(length)

    /// Writes the file in full unless somebody is using it already; nil if it can't be opened, which
    /// SQLite will find out as well.
    init?(store: String) throws(NoRoom) {
        let descriptor = open(store + "-shm", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            guard errno != ENOSPC, errno != EDQUOT else { throw NoRoom(number: errno) }
            return nil
        }
        self.descriptor = descriptor
        guard lock(F_WRLCK) else { return }
        guard ftruncate(descriptor, 0) == 0, write() else {
            let number = errno
            ftruncate(descriptor, 0)
            guard number != ENOSPC, number != EDQUOT else { throw NoRoom(number: number) }
            // SQLite then initializes the file.
            _ = lock(F_UNLCK)
            return
        }
        _ = lock(F_RDLCK)
    }

    deinit { close(descriptor) }

    /// Returns the length of the index for a log of this length: 32 KiB for every 4,096 pages, 34 fewer
    /// in the first (https://sqlite.org/walformat.html, 2.3).
    static func length(ofIndexOf log: Int64) -> Int {
        let pages = log / (4096 + 24) + 1
        return (Int(clamping: pages) + 34 + 4095) / 4096 * (32 << 10)
    }

    /// Allocates blocks for the index of a log of this length before SQLite writes it; only the log's
    /// writer may ask for them.
    ///
    /// The log grows beyond its usual length while somebody reads its beginning.
    func cover(logOf bytes: Int64) throws(NoRoom) {
        let needed = Self.length(ofIndexOf: bytes)
        let isThere = covered.withLock { $0 >= needed }
        guard !isThere else { return }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw NoRoom(number: errno) }
        // Whatever SQLite itself has added beyond has been written already.
        let length = Int(status.st_size)
        let hole = covered.withLock { $0 }
        if length > hole {
            let number = posix_fallocate(descriptor, off_t(hole), off_t(length - hole))
            guard number == 0 else { throw NoRoom(number: number) }
        }
        if length < needed, !write(from: length, to: needed) { throw NoRoom(number: errno) }
        covered.withLock { $0 = max(needed, length) }
    }

    private func write(from start: Int = 0, to end: Int = length) -> Bool {
        let zeros = [UInt8](repeating: 0, count: end - start)
        var done = 0
        while done < zeros.count {
            let count = zeros[done...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(start + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    private func lock(_ type: CInt) -> Bool { CSQLite_lock_index(descriptor, type) == 0 }
}
