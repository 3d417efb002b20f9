import FoundationEssentials
import Glibc

extension ClientError {
    /// Returns the error for a connection to the socket that could not be made.
    ///
    /// - Parameters:
    ///   - path: The socket's path.
    ///   - errno: The system's error number, 0 if there is none.
    static func noConnection(path: String, errno number: Int32) -> ClientError {
        let hint = withoutSession(path, ProcessInfo.processInfo.environment)
        let isRemoved = number == ENOENT && ListeningSockets.has(path)
        let path = path.safeForTerminal
        switch number {
        case ENOENT where isRemoved:
            return .unreachable(
                """
                The daemon can't be reached: somebody has removed its socket \(path), on which it still listens. \
                "systemctl \(manager(path))restart facefetchd.socket" makes it again, and restarts the daemon; \
                one that systemd doesn't listen for makes it at a reload (SIGHUP).
                """
            )
        case ENOENT, ENOTDIR:
            return .unreachable(
                "The daemon is not running: there is no socket at \(path). \(howToStart(path))\(hint)"
            )
        case ECONNREFUSED:
            return .unreachable(
                "The daemon is not running: nothing answers at \(path). \(howToStart(path))\(hint)"
            )
        case EACCES, EPERM:
            return .unreachable(
                """
                You may not use the socket \(path): ask an administrator to add you to its group \
                (for the system's daemon, \"sudo usermod -aG facefetch $USER\"), then log in again.\(hint)
                """
            )
        case ENOTSOCK, EPROTOTYPE:
            return .unreachable("\(path) is not a control socket: name the daemon's socket with --socket.")
        case 0:
            return .unreachable("The daemon at \(path) can't be reached. \(howToStart(path))")
        default:
            return .unreachable(
                "The daemon at \(path) can't be reached: \(String(cString: strerror(number))). \(howToStart(path))"
            )
        }
    }

    /// Returns how to start the daemon of a socket.
    private static func howToStart(_ path: String) -> String {
        """
        Start it with "systemctl \(manager(path))start facefetchd" or run "facefetchd", \
        or name another socket with --socket.
        """
    }

    /// Returns the flag for the service manager of a socket's daemon: a person's own has the path that it has by
    /// itself.
    private static func manager(_ path: String) -> String {
        let isOwn = path != SocketPath.system && path.hasSuffix("/facefetch/control.sock")
        return isOwn ? "--user " : ""
    }

    /// Returns what to set for a person's own daemon where nothing says that there is a session, as in a job of cron;
    /// empty where that isn't it.
    private static func withoutSession(_ path: String, _ environment: [String: String]) -> String {
        let isSet = ["FACEFETCH_SOCKET", "XDG_RUNTIME_DIR"].contains { environment[$0]?.isEmpty == false }
        guard path == SocketPath.system, !isSet else { return "" }
        return """
             XDG_RUNTIME_DIR is not set, as in a job of cron: for a daemon of your own, set it to \
            /run/user/\(getuid()), or FACEFETCH_SOCKET to the path of its socket.
            """
    }
}
