import GRDB
import JobModel

/// Repairs made at each start, so that a damaged value costs its own row and no other.
extension JobStore {
    /// The largest plausible id; a larger one can't have been reached by counting.
    ///
    /// Every JSON reader can represent it (RFC 8259 §6).
    static let largestID: Int64 = 1 << 52

    /// Removes rows with implausible ids, from which numbering would otherwise continue.
    static func removeImpossibleIDs(_ database: Database) throws {
        for table in ["jobs", "events", "sources", "source_pages"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE id > ?", arguments: [largestID])
            try database.execute(sql: "DELETE FROM \(table) WHERE id < 1")
        }
        var newest: [(id: Int64, count: Int64)] = []
        try BoundStatement("SELECT id, count FROM events ORDER BY id DESC LIMIT 2", database).forEachRow {
            newest.append(($0.integer(0), eventCount($0, 1)))
        }
        // Ids are nearly consecutive: after a gap of a million, the newest is damaged.
        guard newest.count == 2, newest[0].id - newest[0].count > newest[1].id + largestEventCount else {
            return
        }
        try database.execute(sql: "DELETE FROM events WHERE id = ?", arguments: [newest[0].id])
    }

    /// A bound above the number of events in any row.
    private static let largestEventCount: Int64 = 1 << 20

    /// Reads a row's number of events, limited to what a row can have.
    static func eventCount(_ row: StoredRow, _ place: Int) -> Int64 {
        min(max(row.integer(place), 1), largestEventCount)
    }

    /// Removes batches that were never completely accepted, and so never answered, with their jobs.
    ///
    /// A batch that has all its jobs, including the last, was accepted whatever its row says, because it
    /// becomes visible in the same transaction that brings the last job. Nothing accepted may be lost; a
    /// client that got no answer asks again under the same key.
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

    /// Restores the damaged name of a migration.
    ///
    /// Migrations run in order, and so do their rows. If a single row differs, it is damaged; missing or
    /// additional names mean something else.
    static func repairMigrations(_ database: DatabasePool, known: [String]) throws {
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
