import GRDBSQLite
import Glibc

/// Stores written before 0.2.0, the first release, with a schema that was never released.
///
/// They are left as they are, whatever state the last daemon left them in: a store is looked at through a connection that
/// changes none of its files and leaves no new one. SQLite's usual connection would bring the log into the store.
enum UnreleasedStore {
    /// Returns whether a store was written before 0.2.0; false for a file that can't be read, as opening it will tell.
    static func isThere(at path: String) -> Bool {
        guard size(path) > 0 else { return false }
        guard size(path + "-wal") > 0 else { return hasOldMigrations(path, "immutable=1") }
        // SQLite reads a log beside an index that it may not write, but not without one.
        let index = path + "-shm"
        let made = open(index, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        defer {
            if made >= 0 {
                close(made)
                unlink(index)
            }
        }
        return hasOldMigrations(path, "readonly_shm=1")
    }

    /// Asks a database for the names of its first migrations, one of which may be damaged.
    private static func hasOldMigrations(_ path: String, _ parameter: String) -> Bool {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        let sql = "SELECT 1 FROM grdb_migrations NOT INDEXED WHERE identifier IN ('v1', 'v2')"
        guard sqlite3_open_v2(uri(path) + "?" + parameter, &connection, flags, nil) == SQLITE_OK,
            sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK
        else { return false }
        return sqlite3_step(statement) == SQLITE_ROW
    }

    /// Returns a path as a URI (https://sqlite.org/uri.html).
    private static func uri(_ path: String) -> String {
        let path = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
        return (path.hasPrefix("/") ? "file://" : "file:") + path
    }

    private static func size(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
