extension BatchProgress {
    /// Returns the lines for a window of this size: a line for each active file, then those that wait,
    /// then the count.
    ///
    /// - Parameter notice: A sentence to show instead of the count.
    func lines(width: Int, rows: Int, notice: String? = nil) -> [String] {
        let shown = files.sorted { ($0.value.rank, $0.key) < ($1.value.rank, $1.key) }
            .filter { $0.value.phase != .stored }
        let room = max(0, rows - 2)
        var lines = shown.prefix(room).map { $0.value.line(width: width) }
        var count =
            "\(Quantities.grouped(total - unfinished.count)) of \(Quantities.count(total, "file")) done"
        if shown.count > lines.count {
            count += ", \(Quantities.grouped(shown.count - lines.count)) more active"
        }
        lines.append((notice ?? count).safeForTerminal.cut(to: width))
        return lines
    }
}

extension BatchProgress.File {
    /// Returns the file's line in a live view, shortened to the window's width, first of all its name.
    func line(width: Int) -> String {
        let (before, after) = words
        let room = max(5, width - before.columns - after.columns - 2)
        return "\(before)\"\(name.safeForTerminal.cutInMiddle(to: room))\"\(after)".cut(to: width)
    }

    /// Files in progress come before files that wait.
    fileprivate var rank: Int {
        switch phase {
        case .downloading, .detecting: 0
        case .stored, .deferred, .waiting, .paused: 1
        }
    }

    private var words: (before: String, after: String) {
        switch phase {
        case .downloading(let bytes, let total, let percent, let rate):
            ("Downloading ", Self.amount(bytes, total, percent) + Self.pace(bytes, total, rate) + "…")
        case .stored: ("Stored ", "")
        case .detecting: ("Detecting faces in ", "…")
        case .deferred: ("Stored ", ", face detection is held")
        case .waiting(let until, let reason):
            ("Waiting to retry ", " until \(until): \(reason.safeForTerminal)")
        case .paused: ("Paused ", "")
        }
    }

    /// The words for how much of a file is there, and of how much.
    private static func amount(_ bytes: Int64, _ total: Int64?, _ percent: Int?) -> String {
        guard let percent else { return bytes == 0 ? "" : ", \(Quantities.bytes(bytes)) done" }
        return ", \(percent)% " + (total.map { "of \(Quantities.bytes($0))" } ?? "done")
    }

    /// The words for how fast the rest comes, and in which time, where that is known.
    private static func pace(_ bytes: Int64, _ total: Int64?, _ rate: Double?) -> String {
        guard let rate, rate > 0 else { return "" }
        let left = total.map { ", \(Quantities.duration(Double(max(0, $0 - bytes)) / rate)) left" } ?? ""
        return ", \(Quantities.rate(rate))\(left)"
    }
}
