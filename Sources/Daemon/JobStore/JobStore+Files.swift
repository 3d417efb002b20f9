import GRDB
import Glibc
import JobModel

/// The store's files: the database, copies made before migrations, and damaged stores set aside.
extension JobStore {
    /// Refuses a store whose file has been emptied.
    ///
    /// SQLite would take it for a new database and throw away the log beside it.
    static func refuseEmptied(_ path: String) throws(JobStoreError) {
        guard size(path) ?? 0 == 0, size(path + "-wal") ?? 0 > 0 else { return }
        throw .corrupt(path: path, reason: "the file is empty, and the log beside it is not")
    }

    /// Brings the schema up to date.
    ///
    /// A migration may write every row in one transaction, so the log's index is prepared for that.
    static func migrate(
        _ database: DatabasePool,
        path: String,
        _ migrator: DatabaseMigrator,
        _ index: WALIndexFile?
    ) throws {
        guard try !database.read(migrator.hasCompletedMigrations) else { return }
        try index?.cover(logOf: 2 * (size(path) ?? 0) + WALIndexFile.transactionLength)
        try migrator.migrate(database)
    }

    /// Copies the store if a migration is about to change it.
    ///
    /// The copy is named after the release whose schema it has, and the time, such as
    /// `STORE.0.2.0-20261121T064503Z`. It contains everything that the store does, so it is never readable by
    /// others, and only the newest two are kept.
    static func keepCopy(of database: DatabasePool, path: String, before migrator: DatabaseMigrator) throws {
        defer { MigrationCopy.all(of: path).dropLast(MigrationCopy.kept).forEach { unlink($0.path) } }
        let applied = try database.read(migrator.appliedMigrations)
        guard let release = applied.last, applied.count < migrator.migrations.count else { return }
        let copy = "\(path).\(release)-\(moment())"
        // Always the same name, so that a copy that was cut off is replaced by the next.
        let draft = path + ".copy-incomplete"
        unlink(draft)
        // SQLite uses an existing empty file; by itself it would create one that the group can read.
        PrivateFile.prepare(path: draft)
        do {
            try database.writeWithoutTransaction { database in
                try database.execute(sql: "VACUUM INTO ?", arguments: [draft])
            }
            // SQLite doesn't sync the result of VACUUM INTO.
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

    /// Returns whether the disk lacks even the little space that SQLite needs to open a store.
    ///
    /// SQLite reports lack of space in many ways, some of them unrecognizable, so this tries to write.
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

    /// Renames an unusable store together with its other files, and returns its new path.
    ///
    /// The store must not be open. Nothing is deleted, so SQLite's own tools can recover what is still
    /// readable.
    public static func setAside(path: String) throws(JobStoreError) -> String {
        let aside = "\(path).damaged-\(moment())"
        // The log goes first, so that it can't be mistaken for that of another database.
        for suffix in ["-wal", "-shm", ""] {
            guard rename(path + suffix, aside + suffix) == 0 || errno == ENOENT else {
                throw .cannotOpen(path: path, reason: "it is damaged, and can't be renamed: \(words(errno))")
            }
        }
        guard syncDirectory(of: path) else { throw .cannotOpen(path: path, reason: words(errno)) }
        return aside
    }

    /// Returns the current time as used in file names, such as `20261121T064503Z`.
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

/// Files that only their owner may read, whatever the umask.
enum PrivateFile {
    /// Creates an empty file, or revokes the access of group and others to an existing one.
    ///
    /// SQLite takes an empty file for a new database, and gives the log and the index beside it the same
    /// mode. Errors are not reported here, because they recur when SQLite opens the file.
    static func prepare(path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        _ = fchmod(descriptor, 0o600)
        close(descriptor)
    }
}
