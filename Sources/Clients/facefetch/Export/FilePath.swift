import Glibc
import SmallFiles

/// The pieces of a file's path.
enum FilePath {
    /// Returns what stands before the last slash; "." if there is none.
    static func folder(_ path: String) -> String { KeptFile.folder(of: path) }

    /// Returns what stands behind the last slash.
    static func name(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// Returns where the path leads, through links; itself if there is nothing.
    static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// The mode of what is there, links followed; nil if nothing is.
    static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode : nil
    }

    /// A name beside the path that nobody has, hidden, and known for ours.
    static func temporary(beside path: String) -> String {
        let base = folder(path) + "/" + temporaryPrefix(path) + "\(getpid())"
        var candidate = base
        var number = 1
        while access(candidate, F_OK) == 0, number < 1000 {
            candidate = base + "-\(number)"
            number += 1
        }
        return candidate
    }

    /// Returns the beginning of the names that ``temporary(beside:)`` makes for a path; the number of the
    /// process follows.
    static func temporaryPrefix(_ path: String) -> String {
        // A name has 255 bytes, not letters.
        let short = String(decoding: name(path).utf8.prefix(200), as: UTF8.self)
        return "." + short + ".facefetch-"
    }

    /// Syncs a folder, so that names in it survive a power cut.
    static func sync(folder path: String) { try? KeptFile.sync(folder: path) }

    /// Returns whether a mode is that of a folder.
    static func isFolder(_ mode: mode_t) -> Bool { mode & S_IFMT == S_IFDIR }
    /// Returns whether a mode is that of a plain file.
    static func isFile(_ mode: mode_t) -> Bool { mode & S_IFMT == S_IFREG }
}
