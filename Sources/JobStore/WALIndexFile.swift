import CSQLite
import Glibc
import Synchronization

/// The file beside the store through which SQLite's connections share their index of the log (`-shm`),
/// with blocks of the disk for all that it may become.
///
/// SQLite writes it through a mapping, where want of room is no error but a SIGBUS. It does write a byte
/// of every 4 KiB before (`unixShmMap`), which is not enough where blocks are smaller, nor where the
/// disk compresses. So it is written whole before SQLite sees it.
///
/// The first connection cuts the file to nothing, unless it finds that somebody has it open: who does so
/// holds a lock of one of its bytes (`UNIX_SHM_DMS`). Such a lock is held here.
final class WALIndexFile: Sendable {
    /// Why it can't be whole.
    struct NoRoom: Error {
        var number: CInt
    }

    /// What it has from the beginning: enough for 256 MiB of the log, sixteen times the length at which
    /// that is folded in.
    static let length = 512 << 10
    /// Bytes of the log that no transaction adds.
    static let transactionLength: Int64 = 64 << 20

    /// Closed only when SQLite has let go of the file: a process's own locks go with any descriptor of
    /// the file that it closes.
    private let descriptor: CInt
    /// Bytes that are known to have blocks.
    private let covered = Mutex(length)

    /// Makes the file whole, unless somebody uses it already; nil where it can't be opened, which
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
            // SQLite begins it anew.
            _ = lock(F_UNLCK)
            return
        }
        _ = lock(F_RDLCK)
    }

    deinit { close(descriptor) }

    /// What the index of so many bytes of the log needs: 32 KiB for 4,096 of its pages, of which the
    /// first has room for 34 less (https://sqlite.org/walformat.html, 2.3).
    static func length(ofIndexOf log: Int64) -> Int {
        let pages = log / (4096 + 24) + 1
        return (Int(clamping: pages) + 34 + 4095) / 4096 * (32 << 10)
    }

    /// Has blocks for the index of a log that long, before SQLite writes it; only who writes the log may
    /// ask for them.
    ///
    /// The log gets longer than usual while somebody reads what it began with.
    func cover(logOf bytes: Int64) throws(NoRoom) {
        let needed = Self.length(ofIndexOf: bytes)
        let isThere = covered.withLock { $0 >= needed }
        guard !isThere else { return }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw NoRoom(number: errno) }
        // What SQLite has made longer itself has something in it.
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
