import CLinux
import Glibc
import Synchronization

/// The listening unix socket, either inherited from systemd or bound here.
///
/// The server gets a descriptor either way, so there is only one code path. The file of a socket that
/// was bound here is removed when the socket and its copies are released, unless it was given up.
public final class ControlSocket: Sendable {
    private let descriptor: Mutex<Int32?>
    private let file: BoundFile?

    private init(descriptor: Int32, file: BoundFile?) {
        self.descriptor = Mutex(descriptor)
        self.file = file
    }

    deinit { letGo() }

    /// Closes this descriptor, without the file's removal; copies go on.
    public func letGo() { if let descriptor = takeDescriptor() { close(descriptor) } }

    /// Returns another descriptor of the same listening socket, for a server that closes it and leaves
    /// the socket to a successor.
    ///
    /// Clients that connect in between wait instead of being refused.
    ///
    /// - Throws: ``ControlSocketError/system(call:path:errno:message:)``, also if the descriptor has
    ///   been taken.
    public func copy() throws(ControlSocketError) -> ControlSocket {
        let copy = descriptor.withLock { fcntl($0 ?? -1, F_DUPFD_CLOEXEC, 3) }
        guard copy >= 0 else { throw Self.failure("fcntl", file?.path ?? "that was inherited") }
        return ControlSocket(descriptor: copy, file: file)
    }

    /// True if clients find this socket by its file, as far as that can be seen.
    public var hasFile: Bool { file?.isThere ?? true }

    /// The path of a socket that was inherited, whose file is somebody else's to make; nil if it was bound here.
    public var inheritedPath: String? { file.flatMap { $0.isOurs ? nil : $0.path } }

    /// Gives the file up, which is gone: what is at its path from now on is never removed.
    public func giveUpFile() { file?.giveUp() }

    /// Binds a socket and listens on it.
    ///
    /// Missing directories are created with mode 0750. A socket file on which nothing answers is left
    /// over from a crash, and is replaced.
    ///
    /// - Parameters:
    ///   - path: The socket's path, at most 107 bytes.
    ///   - mode: The file's permissions, which are never wider, not even briefly.
    ///   - group: The file's group; nil leaves the default.
    public static func bind(
        path: String,
        mode: mode_t = 0o660,
        group: gid_t? = nil
    ) throws(ControlSocketError) -> ControlSocket {
        guard let address = SocketAddress(path: path) else { throw .pathTooLong(path) }
        try makeDirectories(above: path, group: group)
        try removeStale(path, address: address)

        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure("socket", path) }
        do throws(ControlSocketError) {
            // The file gets the socket's mode from before binding, less the umask.
            guard fchmod(descriptor, mode) == 0 else { throw failure("fchmod", path) }
            guard address.withPointer({ Glibc.bind(descriptor, $0, $1) }) == 0 else {
                throw errno == EADDRINUSE ? .inUse(path) : failure("bind", path)
            }
            guard let file = BoundFile(path: path, isOurs: true) else { throw failure("stat", path) }
            if let group, chown(path, uid_t.max, group) != 0 { throw failure("chown", path) }
            guard chmod(path, mode) == 0 else { throw failure("chmod", path) }
            try listen(descriptor, path)
            return ControlSocket(descriptor: descriptor, file: file)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Adopts a listening socket that was passed to this process.
    public static func adopt(descriptor: Int32) throws(ControlSocketError) -> ControlSocket {
        guard option(SO_DOMAIN, of: descriptor) == AF_UNIX,
            option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
            option(SO_ACCEPTCONN, of: descriptor) == 1
        else { throw .notListening(descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let file = SocketAddress.path(of: descriptor).flatMap { BoundFile(path: $0, isOurs: false) }
        return ControlSocket(descriptor: descriptor, file: file)
    }

    /// Removes the file of a socket that was bound here early, because the process is about to exit.
    public func removeFile() { file?.remove() }

    /// Returns the descriptor, once; the caller must close it.
    func takeDescriptor() -> Int32? {
        descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
    }

    /// Has as many clients wait to be accepted as the kernel lets (net.core.somaxconn), which is also what systemd asks
    /// for (systemd.socket(5), Backlog).
    static func listen(_ descriptor: Int32, _ path: String = "") throws(ControlSocketError) {
        guard Glibc.listen(descriptor, Int32.max) == 0 else { throw failure("listen", path) }
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    private static func makeDirectories(above path: String, group: gid_t?) throws(ControlSocketError) {
        var missing: [String] = []
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/"), slash != rest.startIndex {
            rest = rest[..<slash]
            guard access(String(rest), F_OK) != 0 else { break }
            missing.append(String(rest))
        }
        guard let directory = missing.first else { return }
        var failed = 0
        guard CLinux_make_directories(directory, 0o750, &failed) == 0 else { throw failure("mkdir", path) }
        // Whoever may connect must also be able to reach the file.
        guard let group else { return }
        for directory in missing where chown(directory, uid_t.max, group) != 0 {
            throw failure("chown", path)
        }
    }

    private static func removeStale(_ path: String, address: SocketAddress) throws(ControlSocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw failure("stat", path) }
            return
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
        let probe = socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
            0
        )
        guard probe >= 0 else { throw failure("socket", path) }
        defer { close(probe) }
        let answers = address.withPointer { connect(probe, $0, $1) } == 0
        // A full backlog counts as an answer, because somebody is listening but busy.
        guard !answers, errno != EAGAIN else { throw .inUse(path) }
        guard errno == ECONNREFUSED || errno == ENOENT else { throw failure("connect", path) }
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("unlink", path) }
    }

    private static func failure(_ call: String, _ path: String) -> ControlSocketError {
        let code = errno
        return .system(call: call, path: path, errno: code, message: String(cString: strerror(code)))
    }
}
