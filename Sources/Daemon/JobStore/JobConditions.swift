import GRDB
import JobModel

/// A filter of jobs as an SQL condition on rows of `jobs`, with the values of its parameters.
struct JobConditions {
    private(set) var sql: String
    private(set) var values: [DatabaseValue] = []

    /// Creates the condition for a filter; without `usesIndexes`, rows are found by something else, and with
    /// `isVisible`, there are none of batches that weren't accepted whole.
    init(_ filter: JobFilter, usesIndexes: Bool = true, isVisible: Bool = false) {
        sql = isVisible ? "true" : JobStore.visible
        // A sign in front keeps a column from being looked up in its index.
        let sign = usesIndexes ? "" : "+"
        if let state = filter.state { add("\(sign)state = ?", state.rawValue) }
        if let batch = filter.batch { add("batch = ?", batch.rawValue) }
        if let ids = filter.ids {
            let ids = ids.map(\.rawValue.databaseValue)
            add("id IN (\(databaseQuestionMarks(count: ids.count)))", values: ids)
        }
        if let source = filter.source { add("\(sign)source = ?", source) }
        if let count = filter.minFaces {
            // Whether the index of faces pays is decided by how many it names (``JobStore/jobs(withFaces:)``).
            add("+detection_outcome = 'counted' AND \(FacesText.count) >= ?", Int64(count))
        }
        if let outcome = filter.outcome { add("+detection_outcome = ?", outcome.rawValue) }
        for member in filter.meta { add(MetaSearch.condition, values: MetaSearch.values(member)) }
        if let text = filter.text, text.utf8.contains(0) {
            // No text has a NUL, and LIKE would take what is before it for the pattern.
            add("0")
        } else if let text = filter.text {
            let pattern = TextSearch.pattern(text)
            add(TextSearch.condition, pattern, pattern)
        }
    }

    /// Leaves only jobs with these ids, of which there may be very many.
    mutating func add(candidates ids: [Int64]) {
        let list = "[\(ids.map(String.init).joined(separator: ","))]"
        add("id IN (SELECT value FROM json_each(?))", list)
    }

    /// Adds a condition that must hold as well.
    mutating func add(_ condition: String, _ values: any DatabaseValueConvertible...) {
        add(condition, values: values.map(\.databaseValue))
    }

    /// Adds a condition that must hold as well.
    mutating func add(_ condition: String, values: [DatabaseValue]) {
        sql += " AND \(condition)"
        self.values += values
    }

    /// Binds the values from a place on, counted from 1, and returns the place after them.
    func bind(to statement: BoundStatement, at place: Int = 1) throws -> Int {
        for (index, value) in values.enumerated() { try statement.bind(value, at: place + index) }
        return place + values.count
    }
}

extension JobFilter {
    /// True if many rows may have to be read to find a few, because no index helps.
    var isWide: Bool { ids == nil && (text != nil || minFaces != nil || outcome != nil || !meta.isEmpty) }

    /// True if ``JobCounts`` has the number of jobs that match.
    var isCounted: Bool {
        text == nil && minFaces == nil && outcome == nil && meta.isEmpty && source == nil && ids == nil
    }
}
