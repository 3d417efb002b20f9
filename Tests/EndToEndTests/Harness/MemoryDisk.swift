import Foundation
import Glibc
import TestSupport

/// A small disk of its own, in memory, that can be filled: for who may mount (root).
final class MemoryDisk {
    /// The reason why the tests that need one are skipped, if they are.
    static let comment = "a disk of its own can only be mounted by root"
    /// True if it may mount one of ext4, too: a loop device is another right.
    static let isPossibleAsExt4: Bool = (try? MemoryDisk(.ext4, bytes: 16 << 20)) != nil
    /// The kinds that can be had here.
    static var kinds: [Kind] {
        guard isPossibleAsExt4 else { return [.memory] }
        let hasXFS = (try? MemoryDisk(.xfs, bytes: 0)) != nil
        return [.memory, .ext4, .ext4WithSmallBlocks] + (hasXFS ? [.xfs] : [])
    }
    /// True if this process may mount one.
    static let isPossible: Bool = (try? MemoryDisk(bytes: 1 << 20)) != nil

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The path at which it is mounted.
    let path: String
    private let directory: TemporaryDirectory
    private let kind: Kind

    /// The kind of disk.
    enum Kind: Sendable {
        /// tmpfs.
        case memory
        /// ext4 in a file that is mounted as a disk.
        case ext4
        /// The same with blocks of 1 KiB, as `mkfs.ext4` gives small disks.
        case ext4WithSmallBlocks
        /// XFS in the same way; none is smaller than 300 MiB.
        case xfs
    }

    /// The least that mkfs.xfs makes a disk of, in bytes.
    private static let leastXFS = 320 << 20

    convenience init(_ kind: Kind, bytes: Int) throws {
        switch kind {
        case .memory: try self.init(bytes: bytes)
        case .ext4: try self.init(imageOf: bytes, made: ["mkfs.ext4", "-q", "-b", "4096", "-m", "0"])
        case .ext4WithSmallBlocks:
            try self.init(imageOf: bytes, made: ["mkfs.ext4", "-q", "-b", "1024", "-m", "0"])
        // Otherwise, room that XFS takes beforehand is there again as soon as a file is closed.
        case .xfs:
            try self.init(
                imageOf: max(bytes, Self.leastXFS),
                made: ["mkfs.xfs", "-q"],
                options: "loop,allocsize=4k",
                kind: .xfs
            )
        }
    }

    /// Without blocks that only root may use: the daemon is root in these tests.
    private init(imageOf bytes: Int, made: [String], options: String = "loop", kind: Kind = .ext4) throws {
        self.kind = kind
        directory = try TemporaryDirectory()
        path = try directory.directory("disk")
        let image = directory.path("image")
        guard creat(image, 0o600) >= 0, truncate(image, off_t(bytes)) == 0 else {
            throw Failure(description: "the image: \(String(cString: strerror(errno)))")
        }
        for command in [made + [image], ["mount", "-o", options, image, path]] {
            let program = Shell.find(command[0]) ?? "/usr/sbin/" + command[0]
            let (status, output) = try Shell.run([program] + command.dropFirst())
            guard status == 0 else { throw Failure(description: "\(command[0]): \(output)") }
        }
    }

    init(bytes: Int, inodes: Int? = nil) throws {
        kind = .memory
        directory = try TemporaryDirectory()
        path = try directory.directory("disk")
        let options = "size=\(bytes)" + (inodes.map { ",nr_inodes=\($0)" } ?? "")
        guard mount("tmpfs", path, "tmpfs", 0, options) == 0 else {
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
        // XFS gives the room of what was removed back a moment later.
        if kind == .xfs {
            sync()
            usleep(200_000)
        }
        let file = open(path + "/ballast", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        // The daemon writes at the same time: what there is less of than thought is no error. What it gives
        // the store of its reserve meanwhile is the store's.
        let most = freeBytes + (4 << 20)
        var length = 0
        while freeBytes > rest, length < most {
            let before = freeBytes
            length = min(length + before - rest, most)
            if posix_fallocate(file, 0, off_t(length)) != 0 { length -= (before - rest) / 2 }
            guard freeBytes != before else { break }
        }
        guard rest == 0 else { return }
        // The last blocks, one by one, however small they are.
        let block = [UInt8](repeating: 0, count: 1024)
        length = Int(lseek(file, 0, SEEK_END))
        while length < most, write(file, block, block.count) > 0 { length += block.count }
        fsync(file)
    }

    /// Makes the room again that filling took.
    func empty() { unlink(path + "/ballast") }
}
