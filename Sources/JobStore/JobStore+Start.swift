import GRDB
import JobCore

extension JobStore {
    /// What the engine takes up at start; batches that were never completely
    /// accepted, and so never answered, are removed.
    ///
    /// - Throws: ``StoreFailure``
    public func storedState() throws(StoreFailure) -> StoredState {
        do {
            try database.write { try $0.execute(sql: "DELETE FROM batches WHERE is_visible = 0") }
            return try database.read { database in
                var state = StoredState()
                state.queued = try Row.fetchAll(
                    database,
                    sql: "SELECT id, host, priority FROM jobs WHERE state = 'queued' ORDER BY id"
                ).map {
                    StoredState.QueuedJob(id: JobID(rawValue: $0[0]), host: $0[1], priority: $0[2])
                }
                state.unfinished = try Row.fetchAll(
                    database,
                    sql: JobRecord.selection + """
                         WHERE jobs.state IN ('downloading', 'waiting', 'stored', 'detecting')
                         OR jobs.reserved_name IS NOT NULL ORDER BY jobs.id
                        """
                ).map { try JobRecord(row: $0).job }
                for row in try Row.fetchAll(database, sql: "SELECT state, count(*) FROM jobs GROUP BY state")
                {
                    if let name = JobState(rawValue: row[0]) { state.jobsByState[name] = row[1] }
                }
                state.lastJob = try Int64.fetchOne(database, sql: "SELECT max(id) FROM jobs") ?? 0
                state.lastBatch = try Int64.fetchOne(database, sql: "SELECT max(id) FROM batches") ?? 0
                state.lastEvent = try Int64.fetchOne(database, sql: "SELECT max(id) FROM events") ?? 0
                state.detectionGateOpen = try Bool.fetchOne(
                    database,
                    sql: "SELECT is_on FROM switches WHERE name = 'detection_gate'"
                )
                return state
            }
        } catch let failure as StoreFailure {
            throw failure
        } catch {
            throw StoreFailure(error)
        }
    }

    /// The jobs of these names, in no order; those that don't exist are left out.
    ///
    /// - Throws: ``StoreFailure``
    public func jobs(_ ids: [JobID]) throws(StoreFailure) -> [Job] {
        guard !ids.isEmpty else { return [] }
        do {
            return try database.read { database in
                let statement = try database.cachedStatement(
                    sql: JobRecord.selection + " WHERE jobs.id = ?"
                )
                return try ids.compactMap { id in
                    // Not fetchOne, which copies the row's forty values first.
                    let rows = try Row.fetchCursor(statement, arguments: [id.rawValue])
                    return try rows.next().map { try JobRecord(row: $0).job }
                }
            }
        } catch let failure as StoreFailure {
            throw failure
        } catch {
            throw StoreFailure(error)
        }
    }

    /// The ids of all jobs in one of these states, ascending.
    ///
    /// - Throws: ``StoreFailure``
    public func jobIDs(in states: [JobState]) throws(StoreFailure) -> [JobID] {
        do {
            return try database.read { database in
                let marks = databaseQuestionMarks(count: states.count)
                return try Int64.fetchAll(
                    database,
                    sql: "SELECT id FROM jobs WHERE state IN (\(marks)) ORDER BY id",
                    arguments: StatementArguments(states.map(\.rawValue))
                ).map { JobID(rawValue: $0) }
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// The batch that was accepted under an idempotency key, its jobs, and the digest of its body.
    ///
    /// - Throws: ``StoreFailure``
    public func acceptedBatch(
        idempotencyKey: String
    ) throws(StoreFailure) -> (batch: Batch, jobs: [JobID], bodyDigest: String)? {
        do {
            return try database.read { database in
                let row = try Row.fetchOne(
                    database,
                    sql: "SELECT * FROM batches WHERE idempotency_key = ?",
                    arguments: [idempotencyKey]
                )
                guard let row else { return nil }
                let batch = try Self.batch(row, database)
                let jobs = try Int64.fetchAll(
                    database,
                    sql: "SELECT id FROM jobs WHERE batch = ? ORDER BY id",
                    arguments: [batch.id.rawValue]
                )
                return (batch, jobs.map { JobID(rawValue: $0) }, row["body_digest"])
            }
        } catch {
            throw StoreFailure(error)
        }
    }
}
