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

    /// Shows these lines from the top, and nothing else.
    func show(_ lines: [String]) throws(ClientError) {
        output.raw("\u{1b}[H" + lines.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n") + "\u{1b}[J")
        try output.flush()
    }
}
