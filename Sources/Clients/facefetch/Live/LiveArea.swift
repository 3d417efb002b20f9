/// Lines at the bottom of a terminal that are redrawn in place.
///
/// Only the text of the terminal is changed, so there is nothing to restore however the process ends.
struct LiveArea {
    private var drawn: [String] = []

    /// Returns the text that replaces what was drawn before by `lines`, which must fit the window.
    ///
    /// - Parameter width: The window's current width in columns.
    mutating func redraw(_ lines: [String], width: Int) -> String {
        defer { drawn = lines }
        return start(width: width) + FullScreen.replacing(lines)
    }

    /// Returns the text that erases what was drawn.
    mutating func clear(width: Int) -> String {
        guard !drawn.isEmpty else { return "" }
        defer { drawn = [] }
        return start(width: width) + "\u{1b}[J"
    }

    /// Forgets what was drawn, for example after the shell has written in between.
    mutating func forget() { drawn = [] }

    /// Returns the text that moves the cursor to the start of the first line drawn, counting the rows
    /// that lines take since the window has become narrower.
    private func start(width: Int) -> String {
        let rows = drawn.reduce(0) { $0 + max(1, ($1.columns + width - 1) / max(1, width)) }
        return rows > 1 ? "\r\u{1b}[\(rows - 1)A" : "\r"
    }
}
