import Glibc

/// The whole window, borrowed: its own screen buffer, no cursor, keys as they
/// are pressed.
///
/// Gives everything back in ``leave()``, or when it goes.
final class FullScreen {
    private let output: Output
    private var former: termios?
    private var isEntered = false

    /// Nothing is borrowed yet.
    init(output: Output) { self.output = output }

    deinit { leave() }

    /// Borrows the window.
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

    /// Gives the window back.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        output.raw("\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l")
        // A window that is gone needs nothing back.
        try? output.flush()
        if var modes = former { tcsetattr(STDIN_FILENO, TCSADRAIN, &modes) }
        former = nil
    }

    /// The text that writes lines from where the cursor is, over what was there and below.
    ///
    /// Each row is emptied before it is written to: behind a line that fills the window the cursor
    /// is still on its last column, and emptying the rest of the row would take that away.
    static func replacing(_ lines: [String]) -> String {
        guard let last = lines.last else { return "\u{1b}[J" }
        return (lines.dropLast().map { "\u{1b}[K" + $0 } + ["\u{1b}[J" + last]).joined(separator: "\r\n")
    }

    /// Shows these lines from the top, and nothing else.
    func show(_ lines: [String]) throws(ClientError) {
        output.raw("\u{1b}[H" + Self.replacing(lines))
        try output.flush()
    }
}
