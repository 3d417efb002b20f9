import GRDB
import JobCore

/// What a filter of jobs is in SQL: a condition of rows of `jobs`, and the values of its marks.
struct JobConditions {
    private(set) var sql = JobStore.visible
    private(set) var values: [DatabaseValue] = []

    /// The condition for a filter.
    init(_ filter: JobFilter) {
        if let state = filter.state { add("state = ?", state.rawValue) }
        if let batch = filter.batch { add("batch = ?", batch.rawValue) }
        if let text = filter.text {
            let pattern = TextSearch.pattern(text)
            add(TextSearch.condition, pattern, pattern)
        }
    }

    /// Adds a condition that must hold, too.
    mutating func add(_ condition: String, _ values: any DatabaseValueConvertible...) {
        sql += " AND \(condition)"
        self.values += values.map(\.databaseValue)
    }

    /// Binds the values to the marks from a place on, counted from 1; returns the place behind them.
    func bind(to statement: BoundStatement, at place: Int = 1) throws -> Int {
        for (index, value) in values.enumerated() { try statement.bind(value, at: place + index) }
        return place + values.count
    }
}

extension JobFilter {
    /// Whether every row may have to be looked at, for which no index helps.
    var isWide: Bool { text != nil }
}
