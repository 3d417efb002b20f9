import Foundation
import Glibc
import TestSupport

/// A small disk of its own, in memory, that can be filled: for who may mount (root).
final class MemoryDisk {
    /// Why the tests that need one are skipped, if they are.
    static let comment = "a disk of its own can only be mounted by root"
    /// Whether this process may mount one.
    static let isPossible: Bool = (try? MemoryDisk(bytes: 1 << 20)) != nil

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Where it is mounted.
    let path: String
    private let directory: TemporaryDirectory

    init(bytes: Int) throws {
        directory = try TemporaryDirectory()
        path = try directory.directory("disk")
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0 else {
            throw Failure(description: "mount: \(String(cString: strerror(errno)))")
        }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    /// Bytes that can still be written.
    var freeBytes: Int {
        var status = statvfs()
        return statvfs(path, &status) == 0 ? Int(status.f_bavail) * Int(status.f_bsize) : 0
    }

    /// Fills it up to so many bytes.
    func fill(leaving rest: Int) {
        empty()
        let file = open(path + "/ballast", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        // The daemon writes at the same time: what there is less of than thought is no error.
        _ = posix_fallocate(file, 0, off_t(max(0, freeBytes - rest)))
        close(file)
    }

    /// Makes the room again that filling took.
    func empty() { unlink(path + "/ballast") }
}
