import Foundation
import Glibc
import TestSupport

/// A folder behind a file system that is a program (FUSE), for who may mount: such ones can't rename without
/// replacing.
final class UserDisk {
    /// The program.
    enum Kind: String, Sendable {
        /// Files keep their inode numbers.
        case bindfs
        /// They don't, as it is mounted here.
        case mergerfs
    }

    /// The reason why the tests that need one are skipped, if they are.
    static let comment = "needs root, /dev/fuse, bindfs and mergerfs"
    /// True if this process may mount them.
    static let isPossible: Bool = (try? UserDisk(.bindfs)) != nil && (try? UserDisk(.mergerfs)) != nil

    /// The path at which it is mounted.
    let path: String
    private let directory: TemporaryDirectory

    init(_ kind: Kind) throws {
        directory = try TemporaryDirectory()
        path = try directory.directory("disk")
        guard let program = Shell.find(kind.rawValue) else {
            throw MemoryDisk.Failure(description: "there is no \(kind.rawValue)")
        }
        let (status, output) = try Shell.run([program, try directory.directory("source"), path])
        guard status == 0 else { throw MemoryDisk.Failure(description: output) }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}
