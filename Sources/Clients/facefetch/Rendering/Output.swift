import Glibc
import SmallFiles

/// Buffered standard output.
///
/// A reader that goes away ends the process by SIGPIPE, as the shell expects.
final class Output {
    /// True if the output is a terminal.
    let isTerminal: Bool
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Creates an output to a descriptor.
    init(descriptor: Int32 = STDOUT_FILENO) {
        self.descriptor = descriptor
        self.isTerminal = isatty(descriptor) == 1
    }

    /// The window's width in columns; nil if the output isn't a terminal.
    var width: Int? { isTerminal ? size?.columns : nil }

    /// True if the output is a terminal that can move its cursor.
    var canRedraw: Bool {
        guard isTerminal, size != nil, let kind = getenv("TERM") else { return false }
        return strcmp(kind, "dumb") != 0 && kind.pointee != 0
    }

    /// The window's size, if the terminal reports it.
    var size: (columns: Int, rows: Int)? {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return nil }
        return (Int(window.ws_col), max(1, Int(window.ws_row)))
    }

    /// Buffers a line for the next ``flush()``.
    func line(_ text: String) throws(ClientError) {
        buffer.append(contentsOf: text.utf8)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count > 1 << 16 { try flush() }
    }

    /// Buffers text unchanged.
    func raw(_ text: String) { buffer.append(contentsOf: text.utf8) }

    /// Writes the buffered text.
    ///
    /// - Throws: ``ClientError`` if it can't be written.
    func flush() throws(ClientError) {
        defer { buffer = [] }
        do throws(FileFailure) { try WholeFile.write(buffer, to: descriptor) } catch {
            throw .unsuccessful("Standard output can't be written: \(error).")
        }
    }

    /// Writes a sentence to standard error.
    static func note(_ text: String) { noteUnchanged("facefetch: \(text)\n") }

    /// Writes text to standard error as it is; there is nowhere to complain to.
    static func noteUnchanged(_ text: String) { try? WholeFile.write(Array(text.utf8), to: STDERR_FILENO) }
}
