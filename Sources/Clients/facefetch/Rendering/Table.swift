/// A table with headings and aligned columns.
struct Table: Sendable {
    /// A column.
    struct Column: Sendable {
        var title: String
        /// True if the column is aligned to the right, as numbers are.
        var isNumeric = false
        /// True if cells may be shortened in a narrow window.
        var isFlexible = false
    }

    /// The columns, from the left.
    var columns: [Column]
    /// The cells by row.
    var rows: [[String]] = []

    /// The columns that the table takes in a window that is too narrow for all of it.
    var leastWidth: Int {
        var widths = contentWidths
        shrink(&widths, to: 0)
        return widths.reduce(0, +) + 2 * (widths.count - 1)
    }

    /// The width of each column, as wide as its widest cell.
    private var contentWidths: [Int] {
        var widths = columns.map(\.title.columns)
        for row in rows {
            for (place, cell) in row.enumerated() { widths[place] = max(widths[place], cell.columns) }
        }
        return widths
    }

    /// Returns the lines to print, without line feeds.
    ///
    /// - Parameter width: The window's width, to which flexible columns are shortened; nil for lines of
    ///   any length.
    func lines(width: Int?) -> [String] {
        var widths = contentWidths
        shrink(&widths, to: width)
        return ([columns.map(\.title)] + rows).map { line($0, widths: widths) }
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        var line = ""
        // The end of a line isn't padded, nor are empty cells there.
        let end = (cells.lastIndex { !$0.isEmpty } ?? -1) + 1
        for (place, cell) in cells[..<end].enumerated() {
            if place > 0 { line += "  " }
            let cut = columns[place].isFlexible ? cell.cutInMiddle(to: widths[place]) : cell
            if place == end - 1, !columns[place].isNumeric {
                line += cut
            } else {
                line += cut.padded(to: widths[place], right: columns[place].isNumeric)
            }
        }
        return line
    }

    /// Narrows the widest flexible column until the line fits, or all are as narrow as is useful.
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
