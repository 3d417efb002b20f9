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
                "The daemon is not running: there is no socket at \(path). \(howToStart)"
            )
        case ECONNREFUSED:
            return .unreachable("The daemon is not running: nothing answers at \(path). \(howToStart)")
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
            return .unreachable("The daemon at \(path) can't be reached. \(howToStart)")
        default:
            return .unreachable(
                "The daemon at \(path) can't be reached: \(String(cString: strerror(number))). \(howToStart)"
            )
        }
    }

    private static let howToStart = """
        Start it with "systemctl start facefetchd" or run "facefetchd", \
        or name another socket with --socket.
        """
}
