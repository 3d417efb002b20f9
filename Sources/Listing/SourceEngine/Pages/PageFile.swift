import Digests
import Glibc
import SmallFiles
import Vocabulary

/// The files that pages lie in while they are read.
enum PageFile {
    /// The SHA-256 of a file in lower-case hex; nil where it can't be read.
    static func sha256(_ path: String) -> String? {
        guard let file = try? OpenedFile(path, .isNoLink) else { return nil }
        var hash = SHA256()
        var pieces = Pieces(file.descriptor)
        do throws(FileFailure) {
            while let piece = try pieces.next() { hash.update(data: piece) }
        } catch {
            return nil
        }
        return hash.finalize().hexText
    }

    /// Returns whether there is anything at a path, or it can't be said.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    /// Removes a file, where there is one.
    static func remove(_ path: String) { unlink(path) }

    /// Makes the folder for pages, and empties it of all but the lists that are still read.
    static func prepare(_ directory: String, keeping kept: Set<String>) {
        mkdir(directory, 0o700)
        for name in (try? WholeFolder.names(directory)) ?? [] where !kept.contains(name) {
            unlink("\(directory)/\(name)")
        }
    }
}
