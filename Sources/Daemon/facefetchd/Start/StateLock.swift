import CLinux
import Glibc

/// A lock on a state directory for one daemon, which ends with the process.
final class StateLock: Sendable {
    private let descriptor: CInt

    /// Creates the directory if necessary, and locks it.
    init(directory: String) throws(StartFailure) {
        try Self.makeDirectory(directory)
        let path = directory + "/lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.cannotWrite(directory, errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(descriptor)
            guard number == EWOULDBLOCK else { throw Self.cannotWrite(directory, number) }
            throw StartFailure(
                status: .inUse,
                description: "another facefetchd is using the state directory \(directory); "
                    + "stop it first, or choose another directory with --state-dir"
            )
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private static func makeDirectory(_ path: String) throws(StartFailure) {
        var failed = 0
        guard CLinux_make_directories(path, 0o750, &failed) == 0 else {
            throw cannotWrite(String(decoding: path.utf8.prefix(failed), as: UTF8.self), errno)
        }
    }

    private static func cannotWrite(_ path: String, _ number: CInt) -> StartFailure {
        if number == ENOSPC || number == EDQUOT {
            return StartFailure(lackOfRoomAt: path, for: "the state directory \(path)")
        }
        return StartFailure(
            status: .cannotWrite,
            description: "can't write in the state directory \(path): \(String(cString: strerror(number))); "
                + "make it writable for this user, or choose another directory with --state-dir"
        )
    }
}
