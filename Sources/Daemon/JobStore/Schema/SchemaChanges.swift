import GRDB

extension Database {
    /// Executes statements of a migration, whatever damage there is in the rows.
    ///
    /// SQLite adds no column with a CHECK to a table in which any row breaks one, and newer versions (3.46) add none
    /// to a strict table in which any value is of another type than its column: one damaged row would keep the
    /// daemon of a new version from starting. All that adding changes is the text of the schema
    /// (sqlite.org/lang_altertable.html, section 7), so where SQLite refuses, this changes it, and which row is
    /// damaged shows when it is read.
    func change(sql: String) throws {
        let statements = try allStatements(sql: sql)
        while let statement = try statements.next() {
            do {
                try statement.execute()
            } catch let error as DatabaseError where Self.refusals.contains(error.message ?? "") {
                let addition = /\s*ALTER TABLE (\w+) ADD COLUMN .*/.dotMatchesNewlines()
                guard let table = statement.sql.wholeMatch(of: addition)?.1 else { throw error }
                try addColumn(by: statement.sql, to: String(table))
            }
        }
    }

    /// What SQLite says where rows keep it from adding a column; the result code is that of any error.
    private static let refusals = [
        "CHECK constraint failed", "NOT NULL constraint failed", "type mismatch on DEFAULT",
    ]

    private func addColumn(by statement: String, to table: String) throws {
        guard
            let current = try String.fetchOne(
                self,
                sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?",
                arguments: [table]
            )
        else { throw DatabaseError(resultCode: .SQLITE_ERROR, message: "no such table: \(table)") }
        // SQLite itself writes the text, in a database without rows.
        let changed = try DatabaseQueue().write { empty in
            try empty.execute(sql: current)
            try empty.execute(sql: statement)
            return try String.fetchOne(
                empty,
                sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?",
                arguments: [table]
            )
        }
        let version = try Int.fetchOne(self, sql: "PRAGMA schema_version") ?? 0
        try execute(sql: "PRAGMA writable_schema = ON")
        defer { try? execute(sql: "PRAGMA writable_schema = RESET") }
        try execute(
            sql: "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
            arguments: [changed, table]
        )
        try execute(sql: "PRAGMA schema_version = \(version + 1)")
    }
}
