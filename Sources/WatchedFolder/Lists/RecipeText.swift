import Glibc

/// Reads the copy of a recipe.
enum RecipeText {
    /// Returns a file's text; nil if it isn't UTF-8 or can't be read.
    static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
