import GRDB
import GRDBSQLite
import Glibc
import JobCore

extension JobStore {
    /// Writes all changes in one transaction, and returns when the disk has them.
    ///
    /// - Throws: ``StoreFailure``; nothing was written then.
    public func commit(_ changes: StoreChanges) throws(StoreFailure) {
        do {
            try database.write { database in
                for batch in changes.newBatches { try Self.insert(batch, database) }
                for job in changes.newJobs { try jobWriter.insert(job, database) }
                for batch in changes.revealedBatches {
                    try database.execute(
                        sql: "UPDATE batches SET is_visible = 1 WHERE id = ?",
                        arguments: [batch.rawValue]
                    )
                }
                for batch in changes.withdrawnBatches {
                    try database.execute(
                        sql: "DELETE FROM batches WHERE id = ? AND is_visible = 0",
                        arguments: [batch.rawValue]
                    )
                }
                for job in changes.changedJobs { try jobWriter.update(job, database) }
                try insert(changes.events, database)
                if let isOpen = changes.detectionGateOpen {
                    try database.execute(
                        sql: "INSERT OR REPLACE INTO switches VALUES ('detection_gate', ?)",
                        arguments: [isOpen]
                    )
                }
            }
        } catch {
            jobWriter.forget()
            throw isFull(error) ? .outOfSpace : StoreFailure(error)
        }
    }

    /// Whether it was want of room, though SQLite calls it an I/O error.
    ///
    /// It says SQLITE_FULL for ENOSPC from write(2), and nothing else: not for a quota, and not
    /// when fsync or the shared memory's file is what finds no room.
    private func isFull(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        switch error.extendedResultCode {
        case .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_TRUNCATE, .SQLITE_IOERR_SHMSIZE: break
        default: return false
        }
        let number = database.writeWithoutTransaction { Self.lastErrno(of: $0.sqliteConnection) }
        return number == ENOSPC || number == EDQUOT
    }

    /// What the system said last when the write-ahead log couldn't be written.
    ///
    /// `sqlite3_system_errno` doesn't have it where it is the commit that fails.
    private static func lastErrno(of connection: OpaquePointer?) -> CInt {
        var log: UnsafeMutablePointer<sqlite3_file>?
        var number: CInt = 0
        guard let connection,
            sqlite3_file_control(connection, nil, SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK,
            let methods = log?.pointee.pMethods,
            methods.pointee.xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK, number != 0
        else { return sqlite3_system_errno(connection) }
        return number
    }

    private static func insert(_ batch: StoreChanges.NewBatch, _ database: Database) throws {
        try database.execute(
            sql: "INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                batch.id.rawValue, batch.createdAt.microseconds, batch.submittedBy, batch.jobCount,
                batch.isVisible, batch.idempotencyKey, batch.bodyDigest,
            ]
        )
    }

    /// One row for the events of one job that follow each other.
    private func insert(_ events: [JobEvent], _ database: Database) throws {
        guard let last = events.last else { return }
        let statement = try database.cachedStatement(sql: "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)")
        var first = events.startIndex
        while first < events.endIndex {
            let event = events[first]
            var end = first
            var body = ""
            while end < events.endIndex, events[end].job == event.job, events[end].time == event.time {
                if end > first { body += "\n" }
                body += EventText.encode(events[end].kind)
                end += 1
            }
            try statement.execute(arguments: [
                events[end - 1].id, end - first, event.time.microseconds, event.batch.rawValue,
                event.job.rawValue, body,
            ])
            first = end
        }
        // Now and then is enough; a thousand more or less do no harm.
        if last.id / 1024 != (last.id - Int64(events.count)) / 1024 {
            try database.execute(
                sql: "DELETE FROM events WHERE id <= ?",
                arguments: [last.id - Int64(historyLimit)]
            )
        }
    }
}
