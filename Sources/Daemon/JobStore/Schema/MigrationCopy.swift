import Glibc

/// A copy of the store made before a migration.
struct MigrationCopy {
    /// The number of copies kept; older ones take space and contain credentials that the store has
    /// deleted since.
    static let kept = 2

    /// The path of the copy.
    let path: String
    /// The time of the copy, as written in its name.
    private let moment: Substring

    /// Returns the copies of a store, oldest first; none if the directory can't be read.
    static func all(of store: String) -> [MigrationCopy] {
        let end = store.lastIndex(of: "/")
        let directory = end.map { String(store[...$0]) } ?? "./"
        let name = end.map { store[store.index(after: $0)...] } ?? store[...]
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var copies: [MigrationCopy] = []
        while let entry = readdir(stream) {
            let file = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let copy = MigrationCopy(file: file, of: name, in: directory) { copies.append(copy) }
        }
        return copies.sorted { $0.moment < $1.moment }
    }

    /// Reads a file name; nil if the file isn't a copy of the store.
    private init?(file: String, of store: Substring, in directory: String) {
        guard file.hasPrefix(store),
            let parts = file.dropFirst(store.count).wholeMatch(of: /\.\d+\.\d+\.\d+-(\d{8}T\d{6}Z)/)
        else { return nil }
        path = directory + file
        moment = parts.1
    }
}
