import Glibc

extension ClientError {
    /// Returns the error for a connection to the socket that could not be made.
    ///
    /// - Parameters:
    ///   - path: The socket's path.
    ///   - errno: The system's error number, 0 if there is none.
    static func noConnection(path: String, errno number: Int32) -> ClientError {
        let path = path.safeForTerminal
        switch number {
        case ENOENT, ENOTDIR:
            return .unreachable(
                "The daemon is not running: there is no socket at \(path). \(howToStart(path))"
            )
        case ECONNREFUSED:
            return .unreachable("The daemon is not running: nothing answers at \(path). \(howToStart(path))")
        case EACCES, EPERM:
            return .unreachable(
                """
                You may not use the socket \(path): ask an administrator to add you to its group \
                (for the system's daemon, \"sudo usermod -aG facefetch $USER\"), then log in again.
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

    /// Returns how to start the daemon of a socket: a person's own has the path that it has by itself.
    private static func howToStart(_ path: String) -> String {
        let isOwn = path != SocketPath.system && path.hasSuffix("/facefetch/control.sock")
        return """
            Start it with "systemctl \(isOwn ? "--user " : "")start facefetchd" or run "facefetchd", \
            or name another socket with --socket.
            """
    }
}
