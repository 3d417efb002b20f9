import GRDB

/// A connection that reads for one query at a time, each with one consistent view.
///
/// A query that comes after the end gets an error: GRDB's queue would hand SQLite a connection that isn't there.
struct SerialReader: Sendable {
    let queue: DatabaseQueue

    /// Opens a connection; the configuration says that it only reads.
    ///
    /// - Throws: `DatabaseError`
    init(path: String, configuration: Configuration) throws {
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Reads once it is its turn.
    ///
    /// - Throws: what `body` throws; `DatabaseError` if the connection has been closed.
    func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        try await queue.unsafeRead { database in
            guard database.sqliteConnection != nil else {
                throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the store has been closed")
            }
            var value: Value?
            try database.inTransaction(.deferred) {
                value = try body(database)
                return .commit
            }
            guard let value else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
            return value
        }
    }

    /// Waits for the query under way, and closes the connection.
    ///
    /// - Throws: `DatabaseError`
    func close() throws { try queue.close() }
}
