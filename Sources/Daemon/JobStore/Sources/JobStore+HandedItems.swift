import GRDB
import JobModel
import Vocabulary

/// Items of sources that a fleet has, or is to have.
extension JobStore {
    /// Returns the items with numbers above one, in ascending order.
    public func handedItems(after: Int64, limit: Int) async throws -> [HandedItem] {
        try await database.read { database in
            let statement = try BoundStatement(
                """
                SELECT id, source, url, name, folder, sha256, priority, meta FROM handed_items
                WHERE id > ? ORDER BY id LIMIT ?
                """,
                database
            )
            try statement.bind(after, at: 1)
            try statement.bind(Int64(limit), at: 2)
            var items: [HandedItem] = []
            try statement.forEachRow { row in
                var item = HandedItem(
                    id: row.integer(0),
                    source: row.text(1) ?? "",
                    url: row.text(2) ?? "",
                    priority: Int(row.integer(6))
                )
                (item.name, item.folder, item.sha256) = (row.text(3), row.text(4), row.text(5))
                item.meta = row.text(7)
                items.append(item)
            }
            return items
        }
    }

    /// The numbers of a source's items that a fleet has, or is to have.
    public func handedItems(ofSource name: String) async throws -> [Int64] {
        try await database.read { database in
            try Int64.fetchAll(
                database,
                sql: "SELECT id FROM handed_items WHERE source = ? ORDER BY id",
                arguments: [name]
            )
        }
    }

    /// The number of a source's items that a fleet has, or is to have.
    public func handedCount(ofSource name: String) async throws -> Int {
        try await searchReader.read { database in
            try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM handed_items WHERE source = ?",
                arguments: [name]
            ) ?? 0
        }
    }

    static func handOver(_ items: [HandedItem], _ database: Database) throws {
        guard !items.isEmpty else { return }
        var last = try lastHanded(database)
        let statement = try BoundStatement(
            """
            INSERT INTO handed_items (id, source, url, name, folder, sha256, priority, meta)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            database
        )
        for item in items {
            last = max(last + 1, item.id)
            try statement.bind(last, at: 1)
            try statement.bind(item.source, at: 2)
            try statement.bind(item.url, at: 3)
            try statement.bind(item.name.databaseValue, at: 4)
            try statement.bind(item.folder.databaseValue, at: 5)
            try statement.bind(item.sha256.databaseValue, at: 6)
            try statement.bind(Int64(item.priority), at: 7)
            try statement.bind(item.meta.databaseValue, at: 8)
            try statement.run()
        }
    }

    /// The largest number that an item ever had.
    ///
    /// One from which SQLite could hardly count on is damage: then numbers begin with those that items ask for.
    private static func lastHanded(_ database: Database) throws -> Int64 {
        let sql = "SELECT CAST(seq AS INTEGER) FROM sqlite_sequence WHERE name = 'handed_items'"
        let last = try Int64.fetchOne(database, sql: sql) ?? 0
        return (0..<1 << 62).contains(last) ? last : 0
    }

    static func takeBack(_ items: [Int64], _ database: Database) throws {
        guard !items.isEmpty else { return }
        let statement = try BoundStatement("DELETE FROM handed_items WHERE id = ?", database)
        for item in items {
            try statement.bind(item, at: 1)
            try statement.run()
        }
    }
}
