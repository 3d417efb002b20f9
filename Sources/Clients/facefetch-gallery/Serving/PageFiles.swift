import Glibc
import SmallFiles

/// The files of the page, read once, when the gallery starts.
///
/// What is served is this list and nothing else, so no path of a request ever becomes one of the disk.
struct PageFiles: Sendable {
    /// One file.
    struct File: Sendable {
        /// Its media type.
        var type: String
        /// The content.
        var bytes: [UInt8]
    }

    private let files: [String: File]

    /// The paths under which they are asked for.
    var paths: Set<String> { Set(files.keys) }

    /// The file at a path.
    subscript(path: String) -> File? { files[path] }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "webmanifest": "application/manifest+json",
        "txt": "text/plain; charset=utf-8",
    ]
    private static let largest = 1 << 20

    /// Reads the page's folder; nil without a page.
    ///
    /// - Parameter library: A folder whose files take the place of those in the page's `library`.
    init?(folder: String, library: String? = nil) {
        var files: [String: File] = [:]
        Self.read(folder, as: "", into: &files)
        if let library { Self.read(library, as: "/library", into: &files) }
        guard let page = files.removeValue(forKey: "/index.html") else { return nil }
        files["/"] = page
        self.files = files
    }

    private static func read(_ folder: String, as path: String, into files: inout [String: File]) {
        guard path.utf8.count < 64 else { return }
        for name in (try? WholeFolder.names(folder)) ?? [] where !name.hasPrefix(".") {
            var status = stat()
            guard stat(folder + "/" + name, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                read(folder + "/" + name, as: path + "/" + name, into: &files)
            } else if let ending = name.split(separator: ".").last, let type = types[String(ending)],
                let bytes = try? WholeFile.bytes(folder + "/" + name, atMost: largest)
            {
                files[path + "/" + name] = File(type: type, bytes: bytes)
            }
        }
    }
}
