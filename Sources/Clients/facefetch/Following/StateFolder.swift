import Glibc

/// The folders in which the client remembers things.
enum StateFolder {
    /// The folder that systemd gives a service (StateDirectory=); nil if there is none.
    static func ofService(_ environment: [String: String]) -> String? {
        environment["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init)
    }

    /// A person's folder, by the XDG Base Directory Specification; nil if no place is known.
    static func ofPerson(_ environment: [String: String]) -> String? {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/facefetch" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.local/state/facefetch"
    }

    /// Makes a folder and those above it.
    ///
    /// - Throws: ``ClientError`` when one can't be made.
    static func make(_ path: String) throws(ClientError) {
        if let mode = FilePath.mode(path), FilePath.isFolder(mode) { return }
        let above = FilePath.folder(path)
        if above != path, above != "." { try make(above) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw ByteFile.failure(path, errno) }
    }
}
