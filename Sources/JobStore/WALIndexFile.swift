import CSQLite
import Glibc

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

    /// Of the log, 4,096 pages need 32 KiB here: this is enough for 256 MiB of it, sixteen times the
    /// length at which it is folded in.
    static let length = 512 << 10

    /// Closed only when SQLite has let go of the file: a process's own locks go with any descriptor of
    /// the file that it closes.
    private let descriptor: CInt

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

    private func write() -> Bool {
        let zeros = [UInt8](repeating: 0, count: Self.length)
        var done = 0
        while done < zeros.count {
            let count = zeros[done...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    private func lock(_ type: CInt) -> Bool { CSQLite_lock_index(descriptor, type) == 0 }
}
