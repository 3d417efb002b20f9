/// Rows under headings, in aligned columns.
struct Table: Sendable {
    /// One column.
    struct Column: Sendable {
        var title: String
        /// Numbers stand at the right.
        var isNumeric = false
        /// May be cut where the window is narrow.
        var isFlexible = false
    }

    /// The columns, from the left.
    var columns: [Column]
    /// The cells, a row each.
    var rows: [[String]] = []

    /// The lines to print, without line feeds.
    ///
    /// - Parameter width: The window's, to cut flexible columns to; nil where lines may be of any length.
    func lines(width: Int?) -> [String] {
        var widths = columns.map(\.title.columns)
        for row in rows {
            for (place, cell) in row.enumerated() { widths[place] = max(widths[place], cell.columns) }
        }
        shrink(&widths, to: width)
        return ([columns.map(\.title)] + rows).map { line($0, widths: widths) }
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        var line = ""
        for (place, cell) in cells.enumerated() {
            if place > 0 { line += "  " }
            let cut = columns[place].isFlexible ? cell.cutInMiddle(to: widths[place]) : cell
            // Nothing is padded at the end of a line.
            if place == cells.count - 1, !columns[place].isNumeric {
                line += cut
            } else {
                line += cut.padded(to: widths[place], right: columns[place].isNumeric)
            }
        }
        return line
    }

    /// Takes from the widest flexible column until the line fits, or all are as narrow as is useful.
    private func shrink(_ widths: inout [Int], to width: Int?) {
        guard let width else { return }
        var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
        while excess > 0 {
            let candidates = widths.indices.filter { columns[$0].isFlexible && widths[$0] > 12 }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
            excess -= 1
        }
    }
}
