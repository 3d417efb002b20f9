import GRDB
import JobCore

extension JobStore {
    /// What the engine takes up at start; batches that were never completely
    /// accepted, and so never answered, are removed.
    ///
    /// - Throws: ``StoreFailure``
    public func storedState() throws(StoreFailure) -> StoredState {
        do {
            return try database.write { database in
                try Self.removeHiddenBatches(database)
                var state = StoredState()
                let unfinished = try Self.unfinishedJobs(database)
                state.broken = unfinished.filter(\.isBroken).map(\.job)
                try Self.write(broken: state.broken, database)
                state.unfinished = unfinished.map(\.job).filter { !$0.state.isFinal || $0.reservation != nil }
                state.queued = try Self.queuedJobs(database)
                state.jobsByState = try JobCounts.read(nil, database)
                state.lastJob = try Int64.fetchOne(database, sql: "SELECT max(id) FROM jobs") ?? 0
                state.lastBatch = try Int64.fetchOne(database, sql: "SELECT max(id) FROM batches") ?? 0
                state.lastEvent = try Int64.fetchOne(database, sql: "SELECT max(id) FROM events") ?? 0
                state.detectionGateOpen = try Bool.fetchOne(
                    database,
                    sql: "SELECT is_on FROM switches WHERE name = 'detection_gate'"
                )
                return state
            }
        } catch {
            throw failure(error)
        }
    }

    private static func removeHiddenBatches(_ database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM job_counts WHERE batch IN (SELECT id FROM batches WHERE is_visible = 0);
                DELETE FROM batches WHERE is_visible = 0;
                """
        )
    }

    private static func queuedJobs(_ database: Database) throws -> [StoredState.QueuedJob] {
        var jobs: [StoredState.QueuedJob] = []
        // Most of a long queue goes to one host, whose name need not be kept for each.
        var host = ""
        try BoundStatement(
            "SELECT id, host, priority FROM jobs WHERE state = 'queued' ORDER BY id",
            database
        ).forEachRow { row in
            let next = row.text(1) ?? ""
            if next != host { host = next }
            jobs.append(
                StoredState.QueuedJob(
                    id: JobID(rawValue: row.integer(0)),
                    host: host,
                    priority: Int(row.integer(2))
                )
            )
        }
        return jobs
    }

    /// The jobs that are in the middle of something, or reserve a name, and those of no state that
    /// is known; with whether their rows had to be read as failed.
    private static func unfinishedJobs(_ database: Database) throws -> [(job: Job, isBroken: Bool)] {
        let states = try unknownStates(database)
        let statement = try BoundStatement(
            JobRecord.selection + """
                 WHERE jobs.id IN (
                    SELECT id FROM jobs WHERE state IN ('downloading', 'waiting', 'stored', 'detecting')
                    UNION ALL
                    SELECT id FROM jobs WHERE reserved_name IS NOT NULL
                        AND state IN ('queued', 'paused', 'cancelled', 'failed', 'done')
                    UNION ALL
                    SELECT id FROM jobs WHERE state IN (\(databaseQuestionMarks(count: states.count)))
                ) ORDER BY jobs.id
                """,
            database
        )
        for (index, state) in states.enumerated() { try statement.bind(state, at: index + 1) }
        var jobs: [(Job, Bool)] = []
        try statement.forEachRow { row in
            let job = JobRecord.job(row)
            jobs.append((job, job.state.rawValue != row.text(JobColumn.state.rawValue)))
        }
        return jobs
    }

    /// The jobs of these names, in no order; those that don't exist are left out.
    ///
    /// - Throws: ``StoreFailure``
    public func jobs(_ ids: [JobID]) throws(StoreFailure) -> [Job] {
        guard !ids.isEmpty else { return [] }
        do {
            return try database.read { database in
                let statement = try BoundStatement(JobRecord.selection + " WHERE jobs.id = ?", database)
                var jobs: [Job] = []
                for id in ids {
                    try statement.bind(id.rawValue, at: 1)
                    try statement.forEachRow { jobs.append(JobRecord.job($0)) }
                }
                return jobs
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// The ids of all jobs in one of these states, ascending.
    ///
    /// - Throws: ``StoreFailure``
    public func jobIDs(in states: [JobState]) throws(StoreFailure) -> [JobID] {
        try jobIDs(whoseState: "IN", states)
    }

    /// The ids of all jobs in none of these states, ascending; among them those in states that don't exist.
    ///
    /// - Throws: ``StoreFailure``
    public func jobIDs(outside states: [JobState]) throws(StoreFailure) -> [JobID] {
        try jobIDs(whoseState: "NOT IN", states)
    }

    private func jobIDs(whoseState relation: String, _ states: [JobState]) throws(StoreFailure) -> [JobID] {
        do {
            return try database.read { database in
                let marks = databaseQuestionMarks(count: states.count)
                return try Int64.fetchAll(
                    database,
                    sql: "SELECT id FROM jobs WHERE state \(relation) (\(marks)) ORDER BY id",
                    arguments: StatementArguments(states.map(\.rawValue))
                ).map { JobID(rawValue: $0) }
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// The user who submitted a job; nil where that isn't known.
    ///
    /// - Throws: ``StoreFailure``
    public func submitter(of job: JobID) throws(StoreFailure) -> UInt32? {
        do {
            return try database.read { database in
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT submitted_by FROM batches JOIN jobs ON jobs.batch = batches.id
                        WHERE jobs.id = ?
                        """,
                    arguments: [job.rawValue]
                )
                return row?["submitted_by"]
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// The batch that was accepted under an idempotency key of a user's, its jobs, and the digest of
    /// its body.
    ///
    /// - Throws: ``StoreFailure``
    public func acceptedBatch(
        idempotencyKey: String,
        of user: UInt32?
    ) throws(StoreFailure) -> (batch: Batch, jobs: [JobID], bodyDigest: String)? {
        do {
            return try database.read { database in
                let row = try Row.fetchOne(
                    database,
                    // The bare key was written while one served all users.
                    sql: """
                        SELECT * FROM batches WHERE idempotency_key = ?
                            OR (idempotency_key = ? AND submitted_by IS ?)
                        """,
                    arguments: [Self.keyColumn(idempotencyKey, of: user), idempotencyKey, user]
                )
                guard let row else { return nil }
                let batch = try Self.batch(row, database)
                return (batch, try Self.jobIDs(of: batch.id, database), row["body_digest"])
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// How a user's key is written: the column is unique, and no key has a space.
    static func keyColumn(_ key: String, of user: UInt32?) -> String {
        "\(user.map { "\($0)" } ?? "-") \(key)"
    }
}
