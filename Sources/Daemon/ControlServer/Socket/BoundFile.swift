import Glibc
import Synchronization

/// The file that a socket was bound to, with what identifies it.
///
/// As long as the socket is open, so is the file's inode: another file at the same path has another one.
final class BoundFile: Sendable {
    let path: String
    /// True if it was made here, and is to be removed here.
    let isOurs: Bool
    private let device: dev_t
    private let inode: ino_t
    private let isGivenUp = Mutex(false)

    /// Takes note of a file; nil if it can't be seen.
    init?(path: String, isOurs: Bool) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.path = path
        self.isOurs = isOurs
        self.device = status.st_dev
        self.inode = status.st_ino
    }

    deinit { remove() }

    /// True if it is there still, and no other in its place.
    var isThere: Bool {
        var now = stat()
        return lstat(path, &now) == 0 && now.st_dev == device && now.st_ino == inode
    }

    /// Leaves alone what is at the path from now on.
    func giveUp() { isGivenUp.withLock { $0 = true } }

    /// Removes the file if it was made here, unless another one has taken its place.
    func remove() {
        guard isOurs, !isGivenUp.withLock(\.self), isThere else { return }
        unlink(path)
    }
}
