import Glibc
import Vocabulary

/// The default paths of files.
///
/// For a service, systemd names the directories (systemd.exec(5), `STATE_DIRECTORY` and the like); for a
/// person, the XDG base directory specification does.
struct Places {
    let state: String
    let documents: String
    let socket: String
    let eventLog: String
    /// The settings file to read if it exists.
    let configFile: String
    /// The directories of recipes, and of the secrets that they name.
    let sources: String
    let secrets: String
    /// The directory of what may be deleted at any time.
    let cache: String

    /// Determines the paths for a process with this environment; nil without a home directory.
    init?(environment: [String: String]) {
        func directory(_ name: String) -> String? {
            // systemd lists all directories of a unit, separated by colons; the first one is ours.
            guard let first = environment[name]?.split(separator: ":").first, first.hasPrefix("/") else {
                return nil
            }
            return Self.normalized(String(first))
        }
        let runtime = directory("XDG_RUNTIME_DIR")
        let home = directory("HOME") ?? Self.homeFromPasswords()
        // System services have no session; those of a user have one.
        let isSystemService = directory("STATE_DIRECTORY") != nil && runtime == nil

        if let state = directory("STATE_DIRECTORY") {
            self.state = state
        } else {
            guard let base = directory("XDG_STATE_HOME") ?? home.map({ $0 + "/.local/state" }) else {
                return nil
            }
            self.state = base + "/facefetch"
        }
        let config = directory("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" }
        if isSystemService {
            documents = state + "/documents"
        } else {
            guard let home else { return nil }
            let base = config.flatMap {
                Self.documentsDirectory(userDirs: $0 + "/user-dirs.dirs", home: home)
            }
            documents = (base ?? home + "/Documents") + "/facefetch"
        }
        socket =
            (directory("RUNTIME_DIRECTORY") ?? runtime.map { $0 + "/facefetch" } ?? state) + "/control.sock"
        eventLog = (directory("LOGS_DIRECTORY") ?? state) + "/events.log"
        let configDirectory =
            directory("CONFIGURATION_DIRECTORY")
            ?? (isSystemService ? "/etc/facefetch" : config.map { $0 + "/facefetch" })
        let settings = configDirectory ?? "/etc/facefetch"
        configFile = settings + "/facefetchd.yaml"
        sources = settings + "/sources.d"
        secrets = settings + "/secrets"
        let ownCache = directory("XDG_CACHE_HOME") ?? home.map { $0 + "/.cache" }
        cache =
            directory("CACHE_DIRECTORY")
            ?? (isSystemService ? nil : ownCache.map { $0 + "/facefetch" }) ?? state + "/cache"
    }

    /// Returns a path without repeated or trailing slashes or single dots.
    static func normalized(_ path: String) -> String {
        "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }

    /// Reads XDG_DOCUMENTS_DIR from `user-dirs.dirs` (xdg-user-dirs):
    /// `XDG_DOCUMENTS_DIR="$HOME/Papers"`.
    static func documentsDirectory(userDirs path: String, home: String) -> String? {
        guard let text = try? TextFile.read(path) else { return nil }
        var found: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmed
            guard line.hasPrefix("XDG_DOCUMENTS_DIR=") else { continue }
            var value = line.dropFirst("XDG_DOCUMENTS_DIR=".count).trimmed
            if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                value = String(value.dropFirst().dropLast())
            }
            if value.hasPrefix("$HOME") { value = home + value.dropFirst("$HOME".count) }
            found = value.hasPrefix("/") ? normalized(value) : nil
        }
        return found
    }

    private static func homeFromPasswords() -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 1 << 14)
        guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let directory = entry.pw_dir
        else { return nil }
        let home = String(cString: directory)
        return home.hasPrefix("/") ? normalized(home) : nil
    }
}
