import Glibc

/// Keeps a state directory for one daemon: a lock that dies with the process.
final class StateLock: Sendable {
    private let descriptor: CInt

    /// Makes the directory if need be, and takes its lock.
    ///
    /// - Throws: ``StartFailure``
    init(directory: String) throws(StartFailure) {
        try Self.makeDirectory(directory)
        let path = directory + "/lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.cannotWrite(directory) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            defer { close(descriptor) }
            guard isTaken else { throw Self.cannotWrite(directory) }
            throw StartFailure(
                status: .inUse,
                description: "another facefetchd is using the state directory \(directory); "
                    + "stop it first, or choose another one with --state-dir"
            )
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private static func makeDirectory(_ path: String) throws(StartFailure) {
        if mkdir(path, 0o750) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw cannotWrite(path)
        }
        try makeDirectory(String(path[..<slash]))
        guard mkdir(path, 0o750) == 0 || errno == EEXIST else { throw cannotWrite(path) }
    }

    private static func cannotWrite(_ path: String) -> StartFailure {
        StartFailure(
            status: .cannotWrite,
            description: "can't write in the state directory \(path): \(String(cString: strerror(errno))); "
                + "make it writable for this user, or choose another one with --state-dir"
        )
    }
}
