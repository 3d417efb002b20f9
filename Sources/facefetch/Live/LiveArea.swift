/// Some lines at the bottom of a terminal that are redrawn in place.
///
/// It changes nothing about the terminal but the text, so that there is
/// nothing to restore however the process ends.
struct LiveArea {
    private var drawn: [String] = []

    /// The text that replaces what was drawn before by `lines`, which fit the window.
    ///
    /// - Parameter width: The window's width in columns now.
    mutating func redraw(_ lines: [String], width: Int) -> String {
        defer { drawn = lines }
        return start(width: width) + FullScreen.replacing(lines)
    }

    /// The text that takes away what was drawn.
    mutating func clear(width: Int) -> String {
        guard !drawn.isEmpty else { return "" }
        defer { drawn = [] }
        return start(width: width) + "\u{1b}[J"
    }

    /// Forgets what was drawn, as after the shell has written in between.
    mutating func forget() { drawn = [] }

    /// To the first column of the first line drawn, counting the rows that
    /// lines take since the window became narrower.
    private func start(width: Int) -> String {
        let rows = drawn.reduce(0) { $0 + max(1, ($1.columns + width - 1) / max(1, width)) }
        return rows > 1 ? "\r\u{1b}[\(rows - 1)A" : "\r"
    }
}
