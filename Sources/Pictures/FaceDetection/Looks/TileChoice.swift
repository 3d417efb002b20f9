/// A choice of tiles of a picture, where looking at all of them would take too long.
///
/// At first a third of each row of tiles, evenly. People stand beside people: where a tile has a face, its
/// neighbours are looked at, too, and those below it. So a crowd is found wherever it is, and a sky costs a
/// third.
struct TileChoice {
    private let columns: Int
    private let isSampled: Bool
    private var row = 0
    /// The columns of the row above that have faces.
    private var above: Set<Int> = []
    private var begun: Set<Int> = []
    private var waiting: [Int] = []
    private var having: Set<Int> = []

    init(columns: Int, isSampled: Bool) {
        self.columns = columns
        self.isSampled = isSampled
    }

    /// Begins with the next row, in which there may be faces in these columns.
    mutating func beginRow(likely: Set<Int> = []) {
        above = having
        (begun, waiting, having) = ([], [], [])
        for column in 0..<columns {
            let isSample = !isSampled || (column + row) % 3 == 0
            let isBelow = (column - 1...column + 1).contains { above.contains($0) }
            if isSample || isBelow || likely.contains(column) { add(column) }
        }
        row += 1
    }

    /// The next column to look at in this row; nil when that is all.
    mutating func next() -> Int? { waiting.popLast() }

    /// Says that there is a face in a tile of this row.
    mutating func found(in column: Int) {
        having.insert(column)
        add(column - 1)
        add(column + 1)
    }

    private mutating func add(_ column: Int) {
        guard (0..<columns).contains(column), begun.insert(column).inserted else { return }
        waiting.append(column)
    }
}
