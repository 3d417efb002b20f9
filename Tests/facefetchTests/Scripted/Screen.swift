/// The content of a window after some output: enough of a terminal to check live views by, with the cursor
/// movements they use.
struct Screen {
    let columns: Int
    let rows: Int

    /// The lines that are not blank, without blanks at their ends.
    func showing(_ output: String) -> [String] {
        var cells: [[Character]] = [[]]
        var (row, column) = (0, 0)
        var rest = Array(output.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1b}":
                guard rest.popFirst() == "[" else { continue }
                var number = ""
                var final: Unicode.Scalar = " "
                while let next = rest.popFirst() {
                    final = next
                    if ("@"..."~").contains(next) { break }
                    number.unicodeScalars.append(next)
                }
                switch final {
                case "A": row = max(0, row - (Int(number) ?? 1))
                case "H": (row, column) = (0, 0)
                // Behind a character in the last column the cursor is still on it.
                case "K": cells[row] = Array(cells[row].prefix(min(column, columns - 1)))
                case "J":
                    cells[row] = Array(cells[row].prefix(min(column, columns - 1)))
                    cells.removeSubrange((row + 1)...)
                default: break
                }
            case "\r": column = 0
            case "\n":
                row += 1
                if row == cells.count { cells.append([]) }
            default:
                if column == columns { (row, column) = (row + 1, 0) }
                while row >= cells.count { cells.append([]) }
                while column >= cells[row].count { cells[row].append(" ") }
                cells[row][column] = Character(scalar)
                column += 1
            }
        }
        return cells.map { line in
            String(String(line).reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }
}
