import Glibc

/// A copy of the store as it was before a migration.
struct MigrationCopy {
    /// How many are kept; older ones hold credentials that the store has forgotten, and room.
    static let kept = 2

    /// Where it is.
    let path: String
    /// The number of the store's version, which grows with each migration.
    private let version: Int
    /// When it was made, as its name has it.
    private let moment: Substring

    /// The copies of a store, oldest first; none where the directory can't be read.
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
        return copies.sorted { ($0.version, $0.moment) < ($1.version, $1.moment) }
    }

    /// Nil for a file that is something else.
    private init?(file: String, of store: Substring, in directory: String) {
        guard file.hasPrefix(store),
            let parts = file.dropFirst(store.count).wholeMatch(of: /\.v(\d{1,9})-(\d{8}T\d{6}Z)/),
            let version = Int(parts.1)
        else { return nil }
        path = directory + file
        self.version = version
        moment = parts.2
    }
}
