import GRDB
import Glibc
import JobCore

/// The store's files: itself, the copy before a migration, and one that is set aside.
extension JobStore {
    /// Refuses a store that was emptied.
    ///
    /// SQLite would take it for a new one, and throw the log beside it away.
    static func refuseEmptied(_ path: String) throws(JobStoreError) {
        guard size(path) ?? 0 == 0, size(path + "-wal") ?? 0 > 0 else { return }
        throw .corrupt(path: path, reason: "the file is empty, and the log beside it is not")
    }

    /// Brings the schema up to date.
    ///
    /// A migration may write every row, and be one transaction: the log's index is ready for that.
    static func migrate(_ database: DatabasePool, path: String, _ index: WALIndexFile?) throws {
        guard try !database.read(Schema.migrator.hasCompletedMigrations) else { return }
        try index?.cover(logOf: 2 * (size(path) ?? 0) + WALIndexFile.transactionLength)
        do {
            try Schema.migrator.migrate(database)
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CONSTRAINT || error.resultCode == .SQLITE_ERROR
        {
            // SQLite adds no column to a table of which any row breaks its constraints (alter.c,
            // sqlite3AlterFinishAddColumn). A value that is damaged costs its own row, which is read as
            // well as it can be. Whatever else is wrong is so the second time, too.
            try database.write(fillGaps)
            try database.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
            }
            defer {
                try? database.writeWithoutTransaction { database in
                    try database.execute(sql: "PRAGMA ignore_check_constraints = OFF")
                }
            }
            try Schema.migrator.migrate(database)
        }
    }

    /// Puts something where damage has left nothing, and nothing may not be.
    private static func fillGaps(_ database: Database) throws {
        try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
        defer { try? database.execute(sql: "PRAGMA ignore_check_constraints = OFF") }
        for table in ["batches", "jobs", "events"] {
            for column in try database.columns(in: table) where column.isNotNull {
                var value = column.type == "TEXT" ? "''" : "0"
                if column.name == "batch" { value = "(SELECT max(id) FROM batches)" }
                // IS NULL would not be looked for: the column says that it has none.
                try database.execute(
                    sql: "UPDATE \(table) SET \(column.name) = \(value) WHERE typeof(\(column.name)) = 'null'"
                )
            }
        }
    }

    /// Copies the store as it is, where a migration is about to change it.
    ///
    /// The copy is `STORE.v1-20261121T064503Z`, after the version and the time. It has all that the
    /// store has, so nobody else can read it at any moment, and of several the newest two stay.
    static func keepCopy(of database: DatabasePool, path: String) throws {
        defer { MigrationCopy.all(of: path).dropLast(MigrationCopy.kept).forEach { unlink($0.path) } }
        let applied = try database.read(Schema.migrator.appliedMigrations)
        guard let version = applied.last, applied.count < Schema.migrator.migrations.count else { return }
        let copy = "\(path).\(version)-\(moment())"
        // Always of one name, so that a copy that was cut off is replaced by the next.
        let draft = path + ".copy-incomplete"
        unlink(draft)
        // SQLite fills an empty file, and would make one that the group can read.
        PrivateFile.prepare(path: draft)
        do {
            try database.writeWithoutTransaction { database in
                try database.execute(sql: "VACUUM INTO ?", arguments: [draft])
            }
            // SQLite doesn't sync what it makes in this way.
            guard sync(draft), rename(draft, copy) == 0, syncDirectory(of: copy) else {
                let number = errno
                guard number != ENOSPC, number != EDQUOT else {
                    throw JobStoreError.noRoom(path: path, reason: words(number))
                }
                throw JobStoreError.cannotCopy(path: path, reason: words(number))
            }
        } catch {
            unlink(draft)
            guard let error = error as? DatabaseError else { throw error }
            if error.resultCode == .SQLITE_FULL || hasNoRoom(beside: path) {
                throw JobStoreError.noRoom(path: path, reason: error.message ?? error.resultCode.description)
            }
            throw JobStoreError.cannotCopy(path: path, reason: error.message ?? error.resultCode.description)
        }
    }

    /// Whether the disk has no room for the little that SQLite needs to open a store.
    ///
    /// SQLite calls want of room many names, of which some say nothing of it; so this tries.
    public static func hasNoRoom(beside path: String) -> Bool {
        let probe = path + "-probe"
        let descriptor = open(probe, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return errno == ENOSPC || errno == EDQUOT }
        defer {
            unlink(probe)
            Glibc.close(descriptor)
        }
        let bytes = [UInt8](repeating: 0, count: 2 * WALIndexFile.length)
        let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if written >= 0, written < bytes.count { return true }
        guard written >= 0, fsync(descriptor) == 0 else { return errno == ENOSPC || errno == EDQUOT }
        return false
    }

    /// Renames a store that can't be used, with the files that belong to it, and says its new path.
    ///
    /// It must not be open. Whatever SQLite's own tools can still read of it is all there.
    ///
    /// - Throws: ``JobStoreError``
    public static func setAside(path: String) throws(JobStoreError) -> String {
        let aside = "\(path).damaged-\(moment())"
        // The log first: without its database it is never taken for another one's.
        for suffix in ["-wal", "-shm", ""] {
            guard rename(path + suffix, aside + suffix) == 0 || errno == ENOENT else {
                throw .cannotOpen(path: path, reason: "it is damaged, and can't be renamed: \(words(errno))")
            }
        }
        guard syncDirectory(of: path) else { throw .cannotOpen(path: path, reason: words(errno)) }
        return aside
    }

    /// The moment as file names have it: `20261121T064503Z`.
    private static func moment() -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let text = Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000).rfc3339
        return text.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }

    private static func size(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    private static func sync(_ path: String, flags: Int32 = O_RDONLY) -> Bool {
        let descriptor = open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        return fsync(descriptor) == 0
    }

    private static func syncDirectory(of path: String) -> Bool {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        return sync(directory.isEmpty ? "/" : directory, flags: O_RDONLY | O_DIRECTORY)
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
