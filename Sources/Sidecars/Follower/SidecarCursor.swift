import Glibc

/// The file that keeps how far the sidecars are.
struct SidecarCursor: Sendable {
    /// The path of the file.
    let path: String

    private static let head = "facefetch-sidecars 1"

    /// The content of the file.
    enum Content: Hashable {
        /// There is no file.
        case none
        /// The number that was kept.
        case number(Int64)
        /// The file's content makes no sense.
        case damaged
    }

    /// The path under which a damaged file is set aside.
    var damagedPath: String { path + ".damaged" }

    /// Returns what the file says.
    ///
    /// - Throws: ``SidecarFailure`` if it can't be read.
    func read() throws(SidecarFailure) -> Content {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0, errno == ENOENT { return .none }
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw failure }
        let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, lines[0] == Self.head, let number = Int64(lines[1]), number >= 0 else {
            return .damaged
        }
        return .number(number)
    }

    /// Gives a damaged file another name, for whoever wants to look at it.
    ///
    /// - Throws: ``SidecarFailure``
    func setAside() throws(SidecarFailure) {
        guard rename(path, damagedPath) == 0 else { throw failure }
    }

    /// Keeps a number, so that it survives a power cut.
    ///
    /// - Throws: ``SidecarFailure``
    func keep(_ number: Int64) throws(SidecarFailure) {
        let temporary = path + ".new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure }
        defer { close(file) }
        // So few bytes are written whole or not at all.
        let text = Array("\(Self.head)\n\(number)\n".utf8)
        guard write(file, text, text.count) == text.count else {
            throw SidecarFailure(path: path, number: errno == 0 ? ENOSPC : errno)
        }
        guard fsync(file) == 0, rename(temporary, path) == 0 else { throw failure }
        try SidecarPlace.sync(folder: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    }

    /// Removes the file.
    func remove() { unlink(path) }

    private var failure: SidecarFailure { SidecarFailure(path: path, number: errno) }
}
