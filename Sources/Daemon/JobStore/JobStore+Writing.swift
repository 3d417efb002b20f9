import GRDB
import Glibc

/// Coping with indexes that disagree with their tables, as happens when the disk has changed a value in
/// a row.
extension JobStore {
    /// Writes in one transaction; if an index is found to disagree with its table, rebuilds all indexes
    /// and writes again.
    ///
    /// SQLite notices when it can't find a row's entry in an index, and would notice again at each
    /// attempt.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try haveRoomForIndex()
        do {
            return try database.write(body)
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CORRUPT_INDEX {
            // Sorting the keys of a million rows is left to files.
            try database.writeWithoutTransaction { try Self.keepTemporaries(inMemory: false, $0) }
            defer { try? database.writeWithoutTransaction { try Self.keepTemporaries(inMemory: true, $0) } }
            return try database.write { database in
                try Self.makeIndexesAnew(database)
                return try body(database)
            }
        }
    }

    /// Keeps what SQLite needs for the length of a statement in memory instead of in files.
    ///
    /// An index of what a function returns makes it keep a copy of each page that a statement changes in many
    /// rows, in case that the function fails: some hundred kilobytes, which took a tenth of the time.
    static func keepTemporaries(inMemory: Bool, _ database: Database) throws {
        try database.execute(sql: "PRAGMA temp_store = \(inMemory ? "MEMORY" : "DEFAULT")")
    }

    /// Reserves disk space for SQLite's index of the log, enough for one transaction.
    private func haveRoomForIndex() throws {
        var status = stat()
        guard stat(path + "-wal", &status) == 0 else { return }
        do throws(WALIndexFile.NoRoom) {
            try index?.cover(logOf: Int64(status.st_size) + WALIndexFile.transactionLength)
        } catch {
            throw DatabaseError(
                resultCode: .SQLITE_FULL,
                message: "the log's index has no room: \(String(cString: strerror(error.number)))"
            )
        }
    }

    /// The error that SQLite would report for an index with an entry that doesn't match its row.
    static var disagreement: DatabaseError { DatabaseError(resultCode: .SQLITE_CORRUPT_INDEX) }

    /// Rebuilds all indexes from their tables.
    static func makeIndexesAnew(_ database: Database) throws {
        guard try database.tableExists("batches") else { return }
        // While the schema is writable, SQLite changes rows even if an index lacks them.
        try database.execute(sql: "PRAGMA writable_schema = ON")
        defer { try? database.execute(sql: "PRAGMA writable_schema = OFF") }
        // If damage has made two keys equal, the later batch loses its key.
        try database.execute(
            sql: """
                UPDATE batches SET idempotency_key = NULL, body_digest = NULL
                WHERE idempotency_key IS NOT NULL AND id NOT IN (
                    SELECT min(id) FROM batches NOT INDEXED GROUP BY idempotency_key)
                """
        )
        // If it has made two names of sources equal, the later source gets another one in the store. Most
        // recipes say their own, which the source's next write brings back.
        if try database.tableExists("sources") {
            try database.execute(
                sql: """
                    UPDATE sources SET name = name || '-' || id
                    WHERE name IS NOT NULL AND id NOT IN (
                        SELECT min(id) FROM sources NOT INDEXED GROUP BY name)
                    """
            )
        }
        try database.execute(sql: "REINDEX")
    }
}
