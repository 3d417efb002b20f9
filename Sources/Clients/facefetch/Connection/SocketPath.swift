/// The path of the daemon's control socket.
enum SocketPath {
    /// The path of the system daemon's socket.
    static let system = "/run/facefetch/control.sock"

    /// The longest path that fits into a socket address: `sun_path` less its terminator (unix(7)).
    static let maximumLength = 107

    /// Returns the path to use: that of the flag, `FACEFETCH_SOCKET`, the socket of the user's own daemon
    /// if it exists, in a session or without one, or the system's.
    ///
    /// Where there is none of these, but the user's own daemon listens, somebody has removed its socket's file: then it
    /// is that path, so that this is said.
    ///
    /// - Parameters:
    ///   - flag: The value of `--socket`.
    ///   - environment: The process's environment.
    ///   - exists: Returns whether a path exists.
    ///   - isListening: Returns whether somebody listens on the socket that was bound to a path.
    /// - Throws: ``ClientError`` if the path is too long for an address.
    static func find(
        flag: String?,
        environment: [String: String],
        exists: (String) -> Bool,
        isListening: (String) -> Bool = ListeningSockets.has
    ) throws(ClientError) -> String {
        let path = choose(flag: flag, environment: environment, exists: exists, isListening: isListening)
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
        exists: (String) -> Bool,
        isListening: (String) -> Bool
    ) -> String {
        if let flag { return flag }
        if let path = environment["FACEFETCH_SOCKET"], !path.isEmpty { return path }
        let own = ownPaths(environment)
        if let path = own.first(where: exists) { return path }
        if !exists(system), let path = own.first(where: isListening) { return path }
        return system
    }

    /// Returns the paths at which a person's own daemon listens.
    private static func ownPaths(_ environment: [String: String]) -> [String] {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        // Without a session, as for a job of cron or in a container, it listens beside its store.
        let state = value("XDG_STATE_HOME") ?? value("HOME").map { $0 + "/.local/state" }
        return [value("XDG_RUNTIME_DIR"), state].compactMap(\.self).map { $0 + "/facefetch/control.sock" }
    }
}
