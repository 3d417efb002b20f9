import Glibc
import SmallFiles

/// Reads files named on a command line.
enum TextFile {
    /// Returns the text of a file, with anything that isn't UTF-8 replaced.
    ///
    /// - Parameter what: A description of the file, with which messages begin.
    /// - Throws: ``ClientError`` if it can't be read.
    static func read(_ path: String, what: String) throws(ClientError) -> String {
        String(decoding: try bytes(path, what: what), as: UTF8.self)
    }

    /// The number of bytes that a check of a file's beginning gets.
    private static let beginning = 1024

    /// Returns what is in a file, as it is.
    ///
    /// - Parameter check: Is given how the file begins, up to a kilobyte, before more of it is read.
    /// - Throws: ``ClientError`` if it can't be read, and what `check` throws.
    static func bytes(
        _ path: String,
        what: String,
        check: (ArraySlice<UInt8>) throws(ClientError) -> Void = { _ in }
    ) throws(ClientError) -> [UInt8] {
        let isInput = path == "-"
        let descriptor = isInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .usage(
                "\(what) \(path.safeForTerminal) can't be opened: \(String(cString: strerror(errno)))."
            )
        }
        defer { if !isInput { close(descriptor) } }
        var bytes: [UInt8] = []
        var pieces = Pieces(descriptor)
        var isChecked = false
        while true {
            let piece: ArraySlice<UInt8>?
            do throws(FileFailure) { piece = try pieces.next() } catch {
                throw .usage("\(what) \(path.safeForTerminal) can't be read: \(error).")
            }
            bytes += piece ?? []
            if !isChecked, bytes.count >= beginning || piece == nil {
                try check(bytes.prefix(beginning))
                isChecked = true
            }
            guard piece != nil else { break }
        }
        return bytes
    }
}
