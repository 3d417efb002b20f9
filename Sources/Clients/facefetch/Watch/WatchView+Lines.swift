extension WatchView {
    /// Returns the lines for a window of this size.
    func lines(width: Int, rows: Int) -> [StyledLine] {
        var lines = heading(width: width)
        let active = files.sorted { $0.key < $1.key }.map(\.value)
        // Half of the remaining rows are for active files, or more if there are few results.
        let room = max(0, rows - lines.count - 2)
        let resultRows = min(results.count, max(room / 2, room - active.count - 1))
        let activeRows = max(0, room - resultRows - (resultRows > 0 ? 2 : 0))
        lines.append(StyledLine(text: ""))
        // The last row says how many more there are.
        let shown = active.count > activeRows ? max(0, activeRows - 1) : active.count
        let names = active.prefix(shown).map { $0.name.safeForTerminal.columns }.max() ?? 0
        lines += active.prefix(shown).map { StyledLine(text: $0.line(width: width, longestName: names)) }
        if shown < active.count, activeRows > 0 {
            let rest = Quantities.grouped(active.count - shown)
            lines.append(StyledLine(text: "and \(rest) more".cut(to: width), style: .dim))
        }
        if active.isEmpty, activeRows > 0 {
            lines.append(StyledLine(text: "Nothing is active.", style: .dim))
        }
        if resultRows > 0 {
            lines.append(StyledLine(text: ""))
            lines.append(StyledLine(text: "LAST RESULTS", style: .bold))
            lines += results.prefix(resultRows).map { $0.line(width: width) }
        }
        lines = Array(lines.prefix(max(1, rows - 1)))
        lines += Array(repeating: StyledLine(text: ""), count: max(0, rows - 1 - lines.count))
        lines.append(StyledLine(text: notice ?? "q or Ctrl-C ends this view, not the daemon", style: .dim))
        return lines.suffix(rows)
    }

    private func heading(width: Int) -> [StyledLine] {
        guard let status else { return [StyledLine(text: "facefetch at \(socketPath.safeForTerminal)")] }
        var lines = StatusPage.lines(status, socketPath: socketPath).map { StyledLine(text: $0) }
        lines[0].style = .bold
        return lines
    }
}

extension WatchView.File {
    /// Returns the file's line for a window of this width: name, bar, percentage, rate and time left.
    ///
    /// - Parameter longestName: The columns that the longest name beside it takes; nil if bars are to be at the
    ///   window's edge.
    func line(width: Int, longestName: Int? = nil) -> String {
        let figures = self.figures
        let barWidth = width >= 60 ? min(30, width / 4) : 0
        let room = width - figures.columns - (barWidth > 0 ? barWidth + 2 : 0) - 2
        // In a wide window bars stay beside their names; they move in steps, so that they don't with each name.
        let nameWidth = max(8, min(room, longestName.map { ($0 + 7) / 8 * 8 } ?? room))
        let name = name.safeForTerminal.cutInMiddle(to: nameWidth).padded(to: nameWidth)
        let bar = barWidth > 0 ? "  " + self.bar(width: barWidth) : ""
        return "\(name)\(bar)  \(figures)".cut(to: width)
    }

    private func bar(width: Int) -> String {
        guard !isDetecting, let percent else { return String(repeating: " ", count: width) }
        let full = min(width, max(0, percent * width / 100))
        return String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    }

    /// The figures, in a constant width so that columns stay put.
    private var figures: String {
        if isDetecting { return "detecting faces…".padded(to: 27) }
        if isComplete { return "storing…".padded(to: 27) }
        let done = percent.map { "\($0)%" } ?? Quantities.bytes(bytes)
        let speed = rate.map(Quantities.rate) ?? ""
        return "\(done.padded(to: 7, right: true)) \(speed.padded(to: 9, right: true)) "
            + timeLeft.padded(to: 9, right: true)
    }

    private var timeLeft: String {
        guard let total, let rate, rate > 0, total >= bytes else { return "" }
        return Quantities.duration(Double(total - bytes) / rate)
    }
}

extension WatchView.Result {
    /// Returns the result's line: outcome, name and remark.
    fileprivate func line(width: Int) -> StyledLine {
        let outcome = outcome.safeForTerminal.padded(to: 12)
        let remark = remark.safeForTerminal
        let room = max(8, width - outcome.columns - remark.columns - 2)
        let text = "\(outcome)\(name.safeForTerminal.cutInMiddle(to: room))  \(remark)"
        return StyledLine(text: text.cut(to: width), style: isBad ? .red : .plain)
    }
}

/// A line of a live view with its style.
struct StyledLine: Hashable, Sendable {
    /// The look of a line.
    enum Style: String, Sendable {
        case plain = ""
        case bold = "1"
        case dim = "2"
        case red = "31"
    }

    /// The text of the line.
    var text: String
    /// The style, used if colours are wanted.
    var style = Style.plain

    /// Returns the text for a terminal, shortened to its width.
    func rendered(width: Int, isStyled: Bool) -> String {
        let cut = text.cut(to: width)
        guard isStyled, style != .plain, !cut.isEmpty else { return cut }
        return "\u{1b}[\(style.rawValue)m\(cut)\u{1b}[0m"
    }
}
