/// A statement that is prepared when a connection first uses it.
struct Statement: Hashable, Sendable {
    /// The name under which the connection knows it.
    let name: String
    /// The SQL, with `$1` and so on for values.
    let sql: String
}

/// A statement with its values, as text.
struct Call {
    var statement: Statement
    var values: [String?]

    init(_ statement: Statement, _ values: [String?] = []) {
        self.statement = statement
        self.values = values
    }
}
