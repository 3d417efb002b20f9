import Glibc

/// The file that keeps how far the sidecars are.
struct SidecarCursor: Sendable {
    /// The path of the file.
    let path: String

    private static let head = "facefetch-sidecars 1"

    /// Returns the number that was kept; nil if there is none, or it makes no sense.
    func read() -> Int64? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, lines[0] == Self.head, let number = Int64(lines[1]), number >= 0 else {
            return nil
        }
        return number
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
