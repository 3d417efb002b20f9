import GRDB
import GRDBSQLite

/// A prepared statement, bound and stepped by SQLite's own functions.
///
/// For what is written and read by the ten thousand: GRDB's arguments and rows wrap each value and
/// copy each list, which takes longer than SQLite's own work. Opening, transactions and single
/// rows are GRDB's.
struct BoundStatement {
    // Keeps the handle alive.
    private let statement: Statement
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    /// Prepares a statement, once for each connection.
    ///
    /// - Throws: `DatabaseError`
    init(_ sql: String, _ database: Database) throws {
        guard let connection = database.sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the database is closed")
        }
        statement = try database.cachedStatement(sql: sql)
        handle = statement.sqliteStatement
        self.connection = connection
    }

    /// Binds a value to a mark, counted from 1.
    ///
    /// - Throws: `DatabaseError`
    func bind(_ value: DatabaseValue, at place: Int) throws {
        switch value.storage {
        case .null: try check(sqlite3_bind_null(handle, Int32(place)))
        case .int64(let integer): try bind(integer, at: place)
        case .double(let real): try check(sqlite3_bind_double(handle, Int32(place), real))
        case .string(let text): try bind(text, at: place)
        case .blob(let data):
            try data.withUnsafeBytes {
                try check(
                    sqlite3_bind_blob(handle, Int32(place), $0.baseAddress, Int32($0.count), Self.transient)
                )
            }
        }
    }

    /// Binds an integer to a mark, counted from 1.
    ///
    /// - Throws: `DatabaseError`
    func bind(_ integer: Int64, at place: Int) throws {
        try check(sqlite3_bind_int64(handle, Int32(place), integer))
    }

    /// Binds a text to a mark, counted from 1.
    ///
    /// - Throws: `DatabaseError`
    func bind(_ text: String, at place: Int) throws {
        var text = text
        try text.withUTF8 { bytes in try bind(bytes, at: place) }
    }

    /// Binds a text, as UTF-8, to a mark, counted from 1.
    ///
    /// - Throws: `DatabaseError`
    func bind(_ text: UnsafeBufferPointer<UInt8>, at place: Int) throws {
        let count = Int32(text.count)
        // A pointer to nothing would bind NULL.
        guard let base = UnsafeRawPointer(text.baseAddress) else {
            return try check(sqlite3_bind_text(handle, Int32(place), "", 0, Self.transient))
        }
        let characters = base.assumingMemoryBound(to: CChar.self)
        try check(sqlite3_bind_text(handle, Int32(place), characters, count, Self.transient))
    }

    /// Runs a statement that gives no rows, and gets it ready for the next time.
    ///
    /// - Throws: `DatabaseError`
    func run() throws {
        let result = sqlite3_step(handle)
        // Resetting says the same again where the step failed.
        guard result != SQLITE_DONE else {
            _ = sqlite3_reset(handle)
            return
        }
        defer { _ = sqlite3_reset(handle) }
        try fail(result == SQLITE_ROW ? SQLITE_MISUSE : result)
    }

    /// Calls with every row of the result, and gets the statement ready for the next time.
    ///
    /// - Throws: `DatabaseError`, and what `body` throws.
    func forEachRow(_ body: (StoredRow) throws -> Void) throws {
        defer { _ = sqlite3_reset(handle) }
        while true {
            let result = sqlite3_step(handle)
            if result == SQLITE_DONE { return }
            guard result == SQLITE_ROW else { return try fail(result) }
            try body(StoredRow(handle: handle))
        }
    }

    private func check(_ result: Int32) throws {
        guard result == SQLITE_OK else { return try fail(result) }
    }

    private func fail(_ result: Int32) throws {
        throw DatabaseError(
            resultCode: ResultCode(rawValue: result),
            message: String(cString: sqlite3_errmsg(connection)),
            sql: statement.sql
        )
    }

    /// SQLITE_TRANSIENT, a cast that Swift doesn't import: SQLite copies what is bound.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// The row that a statement has come to; good until its next step.
struct StoredRow {
    fileprivate let handle: OpaquePointer

    /// Whether a column, counted from 0, has no value.
    func isNull(_ place: Int) -> Bool { sqlite3_column_type(handle, Int32(place)) == SQLITE_NULL }

    /// An integer, 0 for none.
    func integer(_ place: Int) -> Int64 { sqlite3_column_int64(handle, Int32(place)) }

    /// A number, 0 for none.
    func real(_ place: Int) -> Double { sqlite3_column_double(handle, Int32(place)) }

    /// A text; nil where there is none.
    func text(_ place: Int) -> String? {
        guard let bytes = sqlite3_column_text(handle, Int32(place)) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(place)))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
