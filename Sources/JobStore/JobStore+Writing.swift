import GRDB
import Glibc

/// Indexes that disagree with their tables, as they do where the disk has changed a value of a row.
extension JobStore {
    /// Writes in one transaction; where an index is found to disagree with its table, all are made anew,
    /// and it is written once more.
    ///
    /// SQLite finds out when it looks for a row's entry in vain, and would do so at each try.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try haveRoomForIndex()
        do {
            return try database.write(body)
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CORRUPT_INDEX {
            return try database.write { database in
                try Self.makeIndexesAnew(database)
                return try body(database)
            }
        }
    }

    /// Has SQLite's index of the log ready for all that a transaction may add to the log.
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

    /// What SQLite would say of an index that has a row under what the row isn't.
    static var disagreement: DatabaseError { DatabaseError(resultCode: .SQLITE_CORRUPT_INDEX) }

    /// Makes all indexes from their tables.
    static func makeIndexesAnew(_ database: Database) throws {
        guard try database.tableExists("batches") else { return }
        // Rows may be changed although the index lacks them, as long as the schema can be written.
        try database.execute(sql: "PRAGMA writable_schema = ON")
        defer { try? database.execute(sql: "PRAGMA writable_schema = OFF") }
        // A key that damage made equal to another is the later batch's to lose.
        try database.execute(
            sql: """
                UPDATE batches SET idempotency_key = NULL, body_digest = NULL
                WHERE idempotency_key IS NOT NULL AND id NOT IN (
                    SELECT min(id) FROM batches NOT INDEXED GROUP BY idempotency_key)
                """
        )
        try database.execute(sql: "REINDEX")
    }
}
