import GRDB
import GRDBSQLite
import Glibc
import JobModel
import Vocabulary

extension JobStore {
    /// Writes all changes in one transaction, and returns once they are on the disk.
    ///
    /// - Throws: ``StoreFailure``, in which case nothing was written.
    public func commit(_ changes: StoreChanges) throws(StoreFailure) {
        // A withdrawn batch leaves nothing to steer.
        restingAhead.withLock { if changes.withdrawnBatches.isEmpty { $0?.note(changes) } else { $0 = nil } }
        do {
            let kept = try withoutCascades(changes) {
                try write { database in try write(changes, database) }
            }
            writerMemory.withLock { $0 = kept }
        } catch {
            throw failure(error)
        }
        // Checkpointing lets the log start over, so that it takes no more of the little room left. If
        // this fails, the commit still stands.
        if changes.isShortOfRoom { try? database.writeWithoutTransaction { _ = try $0.checkpoint(.passive) } }
    }

    /// Returns what an error of SQLite means for the engine, recognizing lack of space in all its
    /// disguises.
    func failure(_ error: any Error) -> StoreFailure { isFull(error) ? .outOfSpace : StoreFailure(error) }

    /// Runs `body` without foreign keys if it removes batches whose jobs have gone before.
    ///
    /// SQLite would look through all jobs for those of each batch: they are in no index by their batch.
    private func withoutCascades<Value>(_ changes: StoreChanges, _ body: () throws -> Value) throws -> Value {
        guard !changes.forgottenJobs.isEmpty, changes.withdrawnBatches.isEmpty else { return try body() }
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = OFF") }
        defer {
            try? database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = ON") }
        }
        return try body()
    }

    /// Removes and returns the writer's memory, so that nothing is remembered if the transaction fails, and
    /// nothing is copied when it changes.
    private func takeMemory() -> JobWriter.Memory {
        writerMemory.withLock { memory in
            defer { memory = JobWriter.Memory() }
            return memory
        }
    }

    private func write(_ changes: StoreChanges, _ database: Database) throws -> JobWriter.Memory {
        for batch in changes.newBatches { try Self.insert(batch, database) }
        var writer = JobWriter(database, memory: takeMemory())
        try writer.insert(changes.newJobs)
        try writer.update(changes.restingChanges)
        for job in changes.changedJobs { try writer.update(job) }
        writer.forget(changes.forgottenJobs)
        try FingerprintBlocks.write(writer.fingerprints, database)
        var counts = writer.counts
        try Self.forget(changes.forgottenJobs, lastEnding: changes.lastEnding, &counts, database)
        try counts.write(hidden: Self.hidden(changes), database)
        try writer.keep(lastEnding: changes.lastEnding)
        for batch in changes.revealedBatches {
            try database.execute(
                sql: "UPDATE batches SET is_visible = 1 WHERE id = ?",
                arguments: [batch.rawValue]
            )
            try JobCounts.reveal(batch, database)
        }
        for batch in changes.withdrawnBatches { try Self.withdraw(batch, database) }
        if !changes.withdrawnBatches.isEmpty { writer.forgetAccepted() }
        for source in changes.sources { try Self.write(source, database) }
        for answer in changes.emptyAnswers { try Self.write(answer, database) }
        try insert(changes.events, database)
        try trimHistory(changes, database)
        if let isOpen = changes.detectionGateOpen {
            try database.execute(
                sql: "INSERT OR REPLACE INTO switches VALUES ('detection_gate', ?)",
                arguments: [isOpen]
            )
        }
        if let clock = changes.clock { try Self.write(clock, database) }
        return writer.memory
    }

    /// Returns the batches of new jobs that stay invisible until a later transaction, or a later step of
    /// this one.
    private static func hidden(_ changes: StoreChanges) -> Set<BatchID> {
        Set(changes.newJobs.map(\.batch) + changes.revealedBatches)
            .subtracting(changes.newBatches.filter(\.isVisible).map(\.id))
    }

    /// Returns whether the cause was lack of space, even if SQLite calls it an I/O error.
    ///
    /// SQLite reports SQLITE_FULL only for ENOSPC from write(2): not for an exceeded quota, and not when
    /// fsync or the shared-memory file runs out of space.
    private func isFull(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        switch error.extendedResultCode {
        case .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_TRUNCATE, .SQLITE_IOERR_SHMSIZE: break
        default: return false
        }
        let number = database.writeWithoutTransaction { Self.lastErrno(of: $0.sqliteConnection) }
        return number == ENOSPC || number == EDQUOT
    }

    /// Removes a batch that isn't visible yet, with its jobs.
    private static func withdraw(_ batch: BatchID, _ database: Database) throws {
        try database.execute(
            sql: "DELETE FROM batches WHERE id = ? AND is_visible = 0",
            arguments: [batch.rawValue]
        )
        try database.execute(sql: "DELETE FROM job_counts WHERE batch = ?", arguments: [batch.rawValue])
    }

    /// Returns the system's last error number from writing the write-ahead log.
    ///
    /// `sqlite3_system_errno` doesn't have it if the commit itself failed.
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
        let key = batch.idempotencyKey.map { keyColumn($0, of: batch.submittedBy) }
        if let key {
            // An intact batch with this key would have been found and returned; this one has lost its
            // digest to damage.
            try database.execute(
                sql: """
                    UPDATE batches SET idempotency_key = NULL, body_digest = NULL WHERE idempotency_key = ?
                    """,
                arguments: [key]
            )
        }
        try database.execute(
            sql: """
                INSERT INTO batches (id, created_at, submitted_by, job_count, is_visible, idempotency_key,
                    body_digest, first_job, last_job, created_clock, lease, known)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                batch.id.rawValue, batch.createdAt.wall.microseconds, batch.submittedBy, batch.jobCount,
                batch.isVisible, key, batch.bodyDigest, batch.jobs.lowerBound.rawValue,
                batch.jobs.upperBound.rawValue, batch.createdAt.steady.microseconds,
                batch.lease, batch.known,
            ]
        )
    }

    /// The most events of several jobs that share a row: with twice as many, hardly less time is saved, and
    /// a damaged row costs twice as much.
    private static let sharedRow = 16

    /// Returns the end of the events that share a row with the one at `first`: those of its job, or some of
    /// its job and the next ones of the batch, in order of time.
    private static func endOfRow(_ events: [JobEvent], from first: Int) -> Int {
        var end = first + 1
        while end < events.endIndex, events[end].batch == events[first].batch,
            events[end].time >= events[end - 1].time,
            events[end].time.wall >= events[end - 1].time.wall
        {
            let step = events[end].job.rawValue - events[end - 1].job.rawValue
            guard step == 0 || step == 1 && end - first < sharedRow else { break }
            end += 1
        }
        return end
    }

    /// Writes events, with one row for several consecutive ones.
    private func insert(_ events: [JobEvent], _ database: Database) throws {
        guard !events.isEmpty else { return }
        let statement = try BoundStatement(
            "INSERT INTO events (id, count, time, batch, job, body, clock) VALUES (?, ?, ?, ?, ?, ?, ?)",
            database
        )
        var body: [UInt8] = []
        var first = events.startIndex
        while first < events.endIndex {
            let event = events[first]
            let end = Self.endOfRow(events, from: first)
            body.removeAll(keepingCapacity: true)
            EventText.encode(events[first..<end], into: &body)
            try statement.bind(events[end - 1].id, at: 1)
            try statement.bind(Int64(end - first), at: 2)
            try statement.bind(events[end - 1].time.wall.microseconds, at: 3)
            try statement.bind(event.batch.rawValue, at: 4)
            try statement.bind(event.job.rawValue, at: 5)
            try body.withUnsafeBufferPointer { try statement.bind($0, at: 6) }
            try statement.bind(events[end - 1].time.steady.microseconds, at: 7)
            try statement.run()
            first = end
        }
    }
}
