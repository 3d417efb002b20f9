import CPostgres

/// The rows that a statement returned, as text.
struct Rows {
    private var values: [[String?]] = []

    /// No rows.
    init() {}

    /// Copies a result of libpq.
    init(_ result: OpaquePointer) {
        let columns = PQnfields(result)
        values.reserveCapacity(Int(PQntuples(result)))
        for row in 0..<PQntuples(result) {
            values.append(
                (0..<columns).map { column in
                    guard PQgetisnull(result, row, column) == 0, let text = PQgetvalue(result, row, column)
                    else { return nil }
                    return String(cString: text)
                }
            )
        }
    }

    var count: Int { values.count }
    var isEmpty: Bool { values.isEmpty }
    var first: Row? { values.first.map(Row.init) }

    /// Makes something of each row.
    func map<Value>(_ body: (Row) -> Value) -> [Value] { values.map { body(Row(values: $0)) } }

    /// One row, whose values are nil if they are missing or not of the kind asked for.
    struct Row {
        fileprivate var values: [String?]

        func text(_ column: Int) -> String? { values.indices.contains(column) ? values[column] : nil }
        func integer(_ column: Int) -> Int64? { text(column).flatMap { Int64($0) } }
        func number(_ column: Int) -> Double? { text(column).flatMap { Double($0) } }
        func flag(_ column: Int) -> Bool { text(column) == "t" }
    }
}
