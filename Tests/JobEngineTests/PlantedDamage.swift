import GRDB

/// Values in a store that no statement of ours could put there.
enum PlantedDamage {
    /// A value of a row.
    struct Place: CustomStringConvertible {
        var table: String
        var column: String
        var row: Int64
        /// True if it is the disk that changed the value: no index is told then.
        var isOnDisk: Bool
        var description: String { "\(table).\(column) of row \(row)\(isOnDisk ? ", on the disk" : "")" }
    }

    /// A table as its schema has it.
    struct Table {
        var name: String
        var columns: [String]
        /// Columns that an index has, or goes by.
        var indexed: Set<String>
        /// A statement for a table of the same layout whose columns take anything.
        var loose: String
        /// The same without the indexes that SQLite makes by itself.
        var looseAndBare: String

        static func all(_ path: String) throws -> [Table] {
            try DatabaseQueue(path: path).read { database in
                try String.fetchAll(
                    database,
                    sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
                ).map { try Table($0, database) }
            }
        }

        private init(_ name: String, _ database: Database) throws {
            self.name = name
            columns = try database.columns(in: name).map(\.name)
            let key = try database.primaryKey(name)
            let unique = try database.indexes(on: name).filter { $0.isUnique }.flatMap(\.columns)
            let sql = try String.fetchAll(
                database,
                sql: """
                    SELECT sql FROM sqlite_schema
                    WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL
                    """,
                arguments: [name]
            ).joined()
            indexed = Set(columns.filter { sql.contains($0) } + unique).subtracting([key.rowIDColumn ?? ""])
            let names = columns.map { $0 == key.rowIDColumn ? "\($0) INTEGER PRIMARY KEY" : $0 }
            let schema = try String.fetchOne(
                database,
                sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?",
                arguments: [name]
            )
            if schema?.contains("WITHOUT ROWID") == false {
                let constraints = unique.map { "UNIQUE (\($0))" }
                loose = "CREATE TABLE \(name) (\((names + constraints).joined(separator: ", ")))"
                looseAndBare = "CREATE TABLE \(name) (\(names.joined(separator: ", ")))"
            } else {
                let primary = "PRIMARY KEY (\(key.columns.joined(separator: ", ")))"
                loose = "CREATE TABLE \(name) (\((names + [primary]).joined(separator: ", "))) WITHOUT ROWID"
                looseAndBare = loose
                indexed = []
            }
        }
    }

    /// Puts a value where no statement of ours could: while the table has neither types nor constraints,
    /// and, where the disk is to blame, no indexes.
    static func plant(
        _ value: String,
        _ place: Place,
        of table: Table,
        in path: String
    ) throws -> Bool {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let database = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? database.close() }
        return try database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA writable_schema = ON")
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT rowid, type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE tbl_name = ?
                    """,
                arguments: [table.name]
            )
            try database.execute(
                sql: "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
                arguments: [place.isOnDisk ? table.looseAndBare : table.loose, table.name]
            )
            if place.isOnDisk {
                try database.execute(
                    sql: "DELETE FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?",
                    arguments: [table.name]
                )
            }
            try database.execute(sql: "PRAGMA writable_schema = RESET")
            var isPlanted = false
            do {
                try database.execute(
                    sql: "UPDATE \(table.name) SET \(place.column) = \(value) WHERE \(condition(place))"
                )
                isPlanted = database.changesCount == 1
            } catch {
                // A key that another row has already, or NULL: there is no such damage.
            }
            try database.execute(sql: "PRAGMA writable_schema = ON")
            try database.execute(sql: "DELETE FROM sqlite_schema WHERE tbl_name = ?", arguments: [table.name])
            for row in rows {
                try database.execute(
                    sql: """
                        INSERT INTO sqlite_schema (rowid, type, name, tbl_name, rootpage, sql)
                        VALUES (?, ?, ?, ?, ?, ?)
                        """,
                    arguments: StatementArguments(Array(row.databaseValues))
                )
            }
            try database.execute(sql: "PRAGMA writable_schema = RESET")
            return isPlanted
        }
    }

    /// Returns the condition for the damaged row of a table; those without rowids are few.
    private static func condition(_ place: Place) -> String {
        switch place.table {
        case "job_counts":
            """
            (batch, state) = (SELECT batch, state FROM job_counts ORDER BY batch, state
                LIMIT 1 OFFSET \(2 * place.row))
            """
        case "source_keys":
            """
            (source, high, low) = (SELECT source, high, low FROM source_keys ORDER BY source, high, low
                LIMIT 1 OFFSET \(place.row))
            """
        case "source_slices":
            """
            (source, key) = (SELECT source, key FROM source_slices ORDER BY source, key
                LIMIT 1 OFFSET \(place.row))
            """
        case "switches": "name = 'detection_gate'"
        default: "rowid = (SELECT rowid FROM \(place.table) ORDER BY rowid LIMIT 1 OFFSET \(place.row))"
        }
    }
}
