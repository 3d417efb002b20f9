import Glibc

/// A line on a terminal that says how far an export is.
struct ExportProgress {
    private let isShown = isatty(STDERR_FILENO) == 1
    private let begin = ContinuousClock.now
    private var lastShown = ContinuousClock.now
    private var count = 0

    /// Adds to the number of jobs that were gone through.
    mutating func add(_ number: Int) {
        count += number
        guard isShown, .now - lastShown > .milliseconds(200) else { return }
        lastShown = .now
        let seconds = (lastShown - begin) / .seconds(1)
        let text = "\(Quantities.count(count, "job")) in \(Quantities.duration(seconds))"
        Output.noteUnchanged("\r\u{1b}[K" + text)
    }

    /// Removes the line.
    func wipe() {
        if isShown, lastShown != begin { Output.noteUnchanged("\r\u{1b}[K") }
    }
}
