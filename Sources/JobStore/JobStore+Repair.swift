import GRDB
import JobCore

/// What is set right at a start, so that damage of one value costs the row that has it, and no other.
extension JobStore {
    /// The largest id that is believed: one that is larger was not given by counting.
    ///
    /// Every reader of JSON can hold it (RFC 8259 §6).
    static let largestID: Int64 = 1 << 52

    /// Removes rows under ids that were not given by counting: numbers would go on behind them.
    static func removeImpossibleIDs(_ database: Database) throws {
        for table in ["jobs", "events"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE id > ?", arguments: [largestID])
            try database.execute(sql: "DELETE FROM \(table) WHERE id < 1")
        }
        var newest: [(id: Int64, count: Int64)] = []
        try BoundStatement("SELECT id, count FROM events ORDER BY id DESC LIMIT 2", database).forEachRow {
            newest.append(($0.integer(0), eventCount($0, 1)))
        }
        // They follow each other: what leaves out a million was not the next.
        guard newest.count == 2, newest[0].id - newest[0].count > newest[1].id + largestEventCount else {
            return
        }
        try database.execute(sql: "DELETE FROM events WHERE id = ?", arguments: [newest[0].id])
    }

    /// More events than one row has.
    private static let largestEventCount: Int64 = 1 << 20

    /// How many events a row says that it has, as many as it may have.
    static func eventCount(_ row: StoredRow, _ place: Int) -> Int64 {
        min(max(row.integer(place), 1), largestEventCount)
    }

    /// Removes batches that were never completely accepted, and so never answered, with their jobs.
    ///
    /// One that has all its jobs, the last among them, was accepted whatever its row says: it can be
    /// seen from the very transaction on that brings the last of them. Nothing that was accepted may be
    /// lost, and whoever was not answered for it asks again under the same key.
    static func settleHiddenBatches(_ database: Database) throws {
        for record in try BatchRecord.all("WHERE is_visible IS NOT 1", [], database) {
            let jobs = try Row.fetchOne(
                database,
                sql: "SELECT count(*), max(id) FROM jobs WHERE id BETWEEN ? AND ? AND batch = ?",
                arguments: [record.firstJob, record.lastJob, record.id]
            )
            let (count, last): (Int64, Int64?) = (jobs?[0] ?? 0, jobs?[1])
            if count >= record.jobCount, last == record.lastJob {
                try record.write(database)
            } else {
                try database.execute(sql: "DELETE FROM job_counts WHERE batch = ?", arguments: [record.id])
                try database.execute(sql: "DELETE FROM batches WHERE id = ?", arguments: [record.id])
            }
        }
    }

    /// Gives a damaged name of a migration back.
    ///
    /// Migrations are made in their order, and so are their rows. Where one row alone differs, that is
    /// damage; where names are missing, or there are more than are known, it is something else.
    static func repairMigrations(_ database: DatabasePool) throws {
        let known = Schema.migrator.migrations
        let names = try database.read { database -> [String] in
            guard try database.tableExists("grdb_migrations") else { return [] }
            var names: [String] = []
            try BoundStatement("SELECT identifier FROM grdb_migrations NOT INDEXED ORDER BY rowid", database)
                .forEachRow { names.append($0.text(0) ?? "") }
            return names
        }
        guard names.count <= known.count, zip(names, known).filter({ $0 != $1 }).count == 1 else { return }
        let name = zip(names, known).first { $0 != $1 }?.0
        guard let name, !known.contains(name) || names.filter({ $0 == name }).count > 1 else { return }
        try database.write { database in
            try database.execute(sql: "DELETE FROM grdb_migrations")
            for name in known.prefix(names.count) {
                try database.execute(
                    sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)",
                    arguments: [name]
                )
            }
        }
    }
}
