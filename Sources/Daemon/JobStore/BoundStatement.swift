import Foundation
import GRDB
import GRDBSQLite

/// A prepared statement that is bound and stepped with SQLite's own functions.
///
/// It serves what is written and read by the ten thousand: GRDB wraps each value and copies each list,
/// which takes longer than SQLite's own work. Opening, transactions and single rows are left to GRDB.
struct BoundStatement {
    // Keeps the statement's handle alive.
    private let statement: Statement
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    /// Prepares a statement, or takes the one already prepared on this connection.
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

    /// Binds a value to the parameter at a place, counted from 1.
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

    /// Binds an integer to the parameter at a place, counted from 1.
    ///
    /// - Throws: `DatabaseError`
    func bind(_ integer: Int64, at place: Int) throws {
        try check(sqlite3_bind_int64(handle, Int32(place), integer))
    }

    /// Binds a string to the parameter at a place, counted from 1.
    ///
    /// - Throws: `DatabaseError`
    func bind(_ text: String, at place: Int) throws {
        var text = text
        try text.withUTF8 { bytes in try bind(bytes, at: place) }
    }

    /// Binds UTF-8 text to the parameter at a place, counted from 1.
    ///
    /// - Throws: `DatabaseError`
    func bind(_ text: UnsafeBufferPointer<UInt8>, at place: Int) throws {
        let count = Int32(text.count)
        // A null pointer would bind NULL instead of an empty text.
        guard let base = UnsafeRawPointer(text.baseAddress) else {
            return try check(sqlite3_bind_text(handle, Int32(place), "", 0, Self.transient))
        }
        let characters = base.assumingMemoryBound(to: CChar.self)
        try check(sqlite3_bind_text(handle, Int32(place), characters, count, Self.transient))
    }

    /// Runs a statement that returns no rows, and resets it for its next use.
    ///
    /// - Throws: `DatabaseError`
    func run() throws {
        let result = sqlite3_step(handle)
        // After a failed step, resetting returns the same error again.
        guard result != SQLITE_DONE else {
            _ = sqlite3_reset(handle)
            return
        }
        defer { _ = sqlite3_reset(handle) }
        try fail(result == SQLITE_ROW ? SQLITE_MISUSE : result)
    }

    /// Calls `body` with each row of the result, and resets the statement for its next use.
    ///
    /// - Throws: `DatabaseError`, or whatever `body` throws.
    func forEachRow(_ body: (StoredRow) throws -> Void) throws {
        defer { _ = sqlite3_reset(handle) }
        while true {
            let result = sqlite3_step(handle)
            if result == SQLITE_DONE { return }
            guard result == SQLITE_ROW else { try fail(result) }
            try body(StoredRow(handle: handle))
        }
    }

    /// Returns what `body` makes of the first row for which it returns anything, and reads no further; nil if
    /// there is none.
    ///
    /// - Throws: `DatabaseError`, or whatever `body` throws.
    func first<Value>(_ body: (StoredRow) throws -> Value?) throws -> Value? {
        defer { _ = sqlite3_reset(handle) }
        while true {
            let result = sqlite3_step(handle)
            if result == SQLITE_DONE { return nil }
            guard result == SQLITE_ROW else { try fail(result) }
            if let value = try body(StoredRow(handle: handle)) { return value }
        }
    }

    private func check(_ result: Int32) throws {
        guard result == SQLITE_OK else { try fail(result) }
    }

    private func fail(_ result: Int32) throws -> Never {
        throw DatabaseError(
            resultCode: ResultCode(rawValue: result),
            message: String(cString: sqlite3_errmsg(connection)),
            sql: statement.sql
        )
    }

    /// SQLITE_TRANSIENT, whose cast Swift doesn't import: it makes SQLite copy the bound bytes.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// The current row of a statement, valid until its next step.
struct StoredRow {
    fileprivate let handle: OpaquePointer

    /// Returns whether a column is NULL; columns are counted from 0.
    func isNull(_ place: Int) -> Bool { sqlite3_column_type(handle, Int32(place)) == SQLITE_NULL }

    /// Returns an integer, 0 for NULL.
    func integer(_ place: Int) -> Int64 { sqlite3_column_int64(handle, Int32(place)) }

    /// Returns a floating-point number, 0 for NULL.
    func real(_ place: Int) -> Double { sqlite3_column_double(handle, Int32(place)) }

    /// Returns a value as it is stored; NULL for a text that is no UTF-8.
    func value(_ place: Int) -> DatabaseValue {
        switch sqlite3_column_type(handle, Int32(place)) {
        case SQLITE_INTEGER: return integer(place).databaseValue
        case SQLITE_FLOAT: return real(place).databaseValue
        case SQLITE_TEXT:
            return withUTF8(place) { String(validating: $0, as: UTF8.self) }?.databaseValue ?? .null
        case SQLITE_BLOB:
            let bytes = sqlite3_column_blob(handle, Int32(place))
            let count = Int(sqlite3_column_bytes(handle, Int32(place)))
            return bytes.map { Data(bytes: $0, count: count).databaseValue } ?? .null
        default: return .null
        }
    }

    /// Calls `body` with the bytes of a text, none for NULL; they are valid until it returns.
    func withUTF8<Value>(
        _ place: Int,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
    ) rethrows -> Value {
        let bytes = sqlite3_column_text(handle, Int32(place))
        let count = Int(sqlite3_column_bytes(handle, Int32(place)))
        return try body(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Calls `body` with the bytes of a value, none for NULL; they are valid until it returns.
    func withBytes<Value>(
        _ place: Int,
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        let bytes = sqlite3_column_blob(handle, Int32(place))
        let count = Int(sqlite3_column_bytes(handle, Int32(place)))
        return try body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    }

    /// Returns a text, nil for NULL.
    func text(_ place: Int) -> String? {
        guard let bytes = sqlite3_column_text(handle, Int32(place)) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(place)))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
