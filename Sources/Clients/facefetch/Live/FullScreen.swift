import Glibc

/// The whole window as borrowed from the shell: its own screen buffer, no cursor, keys as they are
/// pressed.
///
/// Everything is restored by ``leave()``, or when this object is released.
final class FullScreen {
    private let output: Output
    private var former: termios?
    private var isEntered = false

    init(output: Output) { self.output = output }

    deinit { leave() }

    /// Takes over the window.
    func enter() throws(ClientError) {
        guard !isEntered else { return }
        isEntered = true
        var modes = termios()
        if tcgetattr(STDIN_FILENO, &modes) == 0 {
            former = modes
            modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(STDIN_FILENO, TCSADRAIN, &modes)
        }
        // The other screen buffer, no cursor, no wrapping.
        output.raw("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l")
        try output.flush()
    }

    /// Restores the window.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        output.raw("\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l")
        // Errors don't matter if the window has gone.
        try? output.flush()
        if var modes = former { tcsetattr(STDIN_FILENO, TCSADRAIN, &modes) }
        former = nil
    }

    /// Returns the text that writes lines from the cursor's position, replacing what was there and
    /// below.
    ///
    /// Each row is erased before it is written. After a line that fills the window, the cursor is still
    /// in its last column, and erasing the rest of the row would remove that.
    static func replacing(_ lines: [String]) -> String {
        guard let last = lines.last else { return "\u{1b}[J" }
        return (lines.dropLast().map { "\u{1b}[K" + $0 } + ["\u{1b}[J" + last]).joined(separator: "\r\n")
    }

    /// Shows only these lines, from the top.
    func show(_ lines: [String]) throws(ClientError) {
        output.raw("\u{1b}[H" + Self.replacing(lines))
        try output.flush()
    }
}
