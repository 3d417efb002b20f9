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
        case .downloading(_, let percent?): ("Downloading ", ", \(percent)% done…")
        case .downloading(0, nil): ("Downloading ", "…")
        case .downloading(let bytes, nil): ("Downloading ", ", \(Quantities.bytes(bytes)) done…")
        case .stored: ("Stored ", "")
        case .detecting: ("Detecting faces in ", "…")
        case .deferred: ("Stored ", ", face detection is held")
        case .waiting(let until, let reason):
            ("Waiting to retry ", " until \(until): \(reason.safeForTerminal)")
        case .paused: ("Paused ", "")
        }
    }
}
