import ControlAPI
import Glibc
import Sidecars

/// The documents that have names such as sidecars have, as the daemon lists them.
///
/// They are asked for where a sidecar of ours is about to be replaced or removed, and again where that was
/// changed since: it may be a document that was downloaded meanwhile.
final class SidecarNamesakes {
    private let client: ControlClient?
    /// The paths of the documents, by the last component in lower case.
    private var paths: [String: [String]] = [:]
    /// The second in which they were asked for; nil before.
    private var asked: Int?

    init(client: ControlClient?) { self.client = client }

    /// Returns whether a file is the document of a job.
    ///
    /// - Throws: ``ClientError``
    func contains(_ path: String) throws -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        // The times of files may lag behind the clock a little.
        if asked.map({ $0 <= status.st_ctim.tv_sec + 1 }) ?? true { try ask() }
        return paths[FilePath.name(path).lowercased()]?.contains { SidecarPlace.isSameFile($0, path) } == true
    }

    private func ask() throws {
        asked = time(nil)
        paths = [:]
        try client?.forEachPage([("q", ".xmp")]) { page in
            for path in page.compactMap(\.path) {
                let name = FilePath.name(path).lowercased()
                if name.hasSuffix(".xmp") { paths[name, default: []].append(path) }
            }
        }
    }
}
