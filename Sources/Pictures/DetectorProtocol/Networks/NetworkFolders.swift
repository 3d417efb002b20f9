import Glibc

/// The folders in which networks are looked for, and into which they are put.
public enum NetworkFolders {
    /// The folder for what packages bring.
    public static let packages = "/usr/share/facefetch/models"
    /// The folder for what an administrator puts there, for all users.
    public static let machine = "/usr/local/share/facefetch/models"

    /// The folder of one user, by the XDG Base Directory Specification; nil for a user without a home.
    ///
    /// A path that isn't absolute doesn't count there.
    public static func own(environment: [String: String] = ownEnvironment) -> String? {
        let data = absolute(environment["XDG_DATA_HOME"])
        let base = data ?? absolute(environment["HOME"]).map { $0 + "/.local/share" }
        return base.map { $0 + "/facefetch/models" }
    }

    /// All folders in which a process with this environment looks, in their order.
    public static func all(environment: [String: String] = ownEnvironment) -> [String] {
        [packages, machine] + [own(environment: environment)].compactMap(\.self)
    }

    /// The variables of this process that the folders depend on.
    public static var ownEnvironment: [String: String] {
        var environment: [String: String] = [:]
        for name in ["XDG_DATA_HOME", "HOME"] {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
        return environment
    }

    private static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/") else { return nil }
        return path
    }
}
