/// The path of the daemon's control socket.
enum SocketPath {
    /// The path of the system daemon's socket.
    static let system = "/run/facefetch/control.sock"

    /// The longest path that fits into a socket address: `sun_path` less its terminator (unix(7)).
    static let maximumLength = 107

    /// Returns the path to use: that of the flag, `FACEFETCH_SOCKET`, the socket of the user's own daemon
    /// if it exists, in a session or without one, or the system's.
    ///
    /// - Parameters:
    ///   - flag: The value of `--socket`.
    ///   - environment: The process's environment.
    ///   - exists: Returns whether a path exists.
    /// - Throws: ``ClientError`` if the path is too long for an address.
    static func find(
        flag: String?,
        environment: [String: String],
        exists: (String) -> Bool
    ) throws(ClientError) -> String {
        let path = choose(flag: flag, environment: environment, exists: exists)
        guard path.utf8.count <= maximumLength else {
            throw .usage(
                """
                The socket's path is \(path.utf8.count) bytes long, and at most \(maximumLength) \
                are allowed: \(path.safeForTerminal)
                """
            )
        }
        return path
    }

    private static func choose(
        flag: String?,
        environment: [String: String],
        exists: (String) -> Bool
    ) -> String {
        if let flag { return flag }
        if let path = environment["FACEFETCH_SOCKET"], !path.isEmpty { return path }
        if let directory = environment["XDG_RUNTIME_DIR"], !directory.isEmpty {
            let own = directory + "/facefetch/control.sock"
            if exists(own) { return own }
        }
        // Without a session, as for a job of cron or in a container, a person's daemon listens beside its store.
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.local/state" }
        if let state = environment["XDG_STATE_HOME"].flatMap({ $0.isEmpty ? nil : $0 }) ?? home {
            let own = state + "/facefetch/control.sock"
            if exists(own) { return own }
        }
        return system
    }
}
