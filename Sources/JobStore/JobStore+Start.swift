import GRDB
import JobCore

extension JobStore {
    /// Reads the state from which the engine starts, and removes batches that were never completely
    /// accepted, and so never answered.
    ///
    /// - Throws: ``StoreFailure``
    public func storedState() throws(StoreFailure) -> StoredState {
        do { return try write { try Self.storedState($0) } } catch { throw failure(error) }
    }

    private static func storedState(_ database: Database) throws -> StoredState {
        try settleHiddenBatches(database)
        let recount = Recount(database: database)
        var counted = try recount.countedStates()
        let areKnown = counted.keys.allSatisfy { JobState(rawValue: $0) != nil }
        var unfinished = try unfinishedJobs(areStatesKnown: areKnown, database)
        let broken = unfinished.filter(\.isBroken).map(\.job)
        if !broken.isEmpty {
            try write(broken: broken, database)
            counted = try recount.countedStates()
        }
        if try recount.settle(counted) {
            // The repair may have moved a job to another batch.
            unfinished = try unfinished.compactMap { known in
                try job(known.job.id, database).map { (job: $0, isBroken: known.isBroken) }
            }
        }
        var state = StoredState()
        for (name, number) in counted {
            if let known = JobState(rawValue: name) { state.jobsByState[known] = Int(number) }
        }
        state.broken = unfinished.filter(\.isBroken).map(\.job)
        state.unfinished = unfinished.map(\.job).filter {
            !$0.state.isFinal || $0.reservation != nil || $0.isBeingEvicted
        }
        (state.queued, state.flows) = try queuedJobs(database)
        state.evictables = try evictables(database)
        state.leases = try BatchRecord.all("WHERE lease IS NOT NULL ORDER BY id", [], database).compactMap {
            record in
            record.lease.map { (BatchID(rawValue: record.id), Int($0)) }
        }
        state.lastJob = try largest("id FROM jobs", database)
        // The last job itself may have been lost to damage.
        let newest = "last_job AS id FROM (SELECT last_job FROM batches ORDER BY id DESC LIMIT 2)"
        state.lastJob = max(state.lastJob, try largest("id FROM (SELECT \(newest))", database))
        state.lastBatch = try largest("id FROM batches", database)
        let numbers = try settleNumbers(database)
        state.lastJob = max(state.lastJob, numbers.job)
        state.lastBatch = max(state.lastBatch, numbers.batch)
        state.lastEnding = numbers.ending
        state.identity = try identity(database)
        state.lastEvent = try largest("id FROM events", database)
        state.detectionGateOpen = try Bool.fetchOne(
            database,
            sql: "SELECT is_on FROM switches WHERE name = 'detection_gate' AND is_on IN (0, 1)"
        )
        return state
    }

    /// The highest numbers that were given, set right where they can't be believed.
    private static func settleNumbers(_ database: Database) throws -> StoredNumbers {
        if let numbers = try StoredNumbers.read(database) { return numbers }
        let numbers = try StoredNumbers.readOrRecover(database)
        try numbers.write(database)
        return numbers
    }

    /// Returns the id that was made with the store; another one where damage has taken that.
    private static func identity(_ database: Database) throws -> String {
        let kept = try String.fetchOne(
            database,
            sql: "SELECT name FROM identity WHERE id = 1 AND typeof(name) = 'text'"
        )
        if let kept, kept.utf8.count == 32,
            kept.utf8.allSatisfy({
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            })
        {
            return kept
        }
        try database.execute(sql: "DELETE FROM identity")
        try database.execute(sql: "INSERT INTO identity VALUES (1, lower(hex(randomblob(16))))")
        return try String.fetchOne(database, sql: "SELECT name FROM identity") ?? ""
    }

    private static func job(_ id: JobID, _ database: Database) throws -> Job? {
        let statement = try BoundStatement(JobRecord.selection + " WHERE jobs.id = ?", database)
        try statement.bind(id.rawValue, at: 1)
        var job: Job?
        try statement.forEachRow { job = JobRecord.job($0) }
        return job
    }

    /// Returns the largest plausible id, 0 if there is none.
    private static func largest(_ source: String, _ database: Database) throws -> Int64 {
        let sql = "SELECT \(source) WHERE id BETWEEN 1 AND \(largestID) ORDER BY id DESC LIMIT 1"
        return try Int64.fetchOne(database, sql: sql) ?? 0
    }

    private static func queuedJobs(
        _ database: Database
    ) throws -> (jobs: [StoredState.QueuedJob], flows: [StoredState.WeightedFlow]) {
        var jobs: [StoredState.QueuedJob] = []
        var flows: [StoredState.WeightedFlow] = []
        var places: [StoredState.WeightedFlow: Int32] = [:]
        // Jobs come in long rows of one flow.
        var latest: (flow: StoredState.WeightedFlow, place: Int32)?
        // Most jobs of a long queue have the same host, whose name can be shared.
        var host = ""
        // Rows are found by the index of states, but the state returned is the row's own, in case they
        // disagree.
        let statement = try BoundStatement(
            """
            SELECT row.id, row.host, row.priority, row.state, row.batch, row.source, row.is_evictable,
                row.weight
            FROM jobs AS listed
            CROSS JOIN jobs AS row NOT INDEXED ON row.id = listed.id
            WHERE listed.state = 'queued' ORDER BY listed.id
            """,
            database
        )
        try statement.forEachRow { row in
            guard row.text(3) == JobState.queued.rawValue else { throw disagreement }
            let next = row.text(1) ?? ""
            if next != host { host = next }
            let options = JobOptions(source: row.text(5), isEvictable: row.integer(6) != 0)
            let flow = StoredState.WeightedFlow(
                options.flow(in: BatchID(rawValue: row.integer(4))),
                weight: JobColumn.weight(stored: row.integer(7))
            )
            if latest?.flow != flow {
                let place = places[flow] ?? Int32(flows.count)
                if place == flows.count {
                    flows.append(flow)
                    places[flow] = place
                }
                latest = (flow, place)
            }
            jobs.append(
                StoredState.QueuedJob(
                    id: JobID(rawValue: row.integer(0)),
                    host: host,
                    priority: Int32(min(max(row.integer(2), -100), 100)),
                    flow: latest?.place ?? 0
                )
            )
        }
        return (jobs, flows)
    }

    /// Reads what is known of the documents that may be removed to make room.
    private static func evictables(_ database: Database) throws -> [EvictableDocuments.Document] {
        let statement = try BoundStatement(
            """
            SELECT id, bytes, state = 'done' AND is_pinned = 0 AND document_mark IS NOT NULL, evicted_at IS NOT NULL,
                coalesce(finished_clock, finished_at, 0), coalesce(served_clock, 0)
            FROM jobs WHERE is_evictable = 1 AND path <> ''
            """,
            database
        )
        var documents: [EvictableDocuments.Document] = []
        try statement.forEachRow { row in
            documents.append(
                EvictableDocuments.Document(
                    job: JobID(rawValue: row.integer(0)),
                    bytes: min(max(row.integer(1), 0), TransferPolicy.largestLength),
                    lastUse: SteadyTime(stored: max(row.integer(4), row.integer(5))),
                    standing: row.integer(2) == 0 ? .stays : row.integer(3) == 0 ? .mayGo : .leaves
                )
            )
        }
        return documents
    }

    /// Reads the jobs that were being worked on or reserve a name, and those in unknown states, with
    /// whether their rows had to be read as failed.
    private static func unfinishedJobs(
        areStatesKnown: Bool,
        _ database: Database
    ) throws -> [(job: Job, isBroken: Bool)] {
        let statement = try BoundStatement(
            JobRecord.selection + """
                 WHERE jobs.id IN (
                    SELECT id FROM jobs WHERE state IN ('downloading', 'waiting', 'stored', 'detecting')
                    UNION ALL
                    SELECT id FROM jobs WHERE reserved_name IS NOT NULL
                        AND state IN ('queued', 'paused', 'cancelled', 'failed', 'done')
                    UNION ALL
                    SELECT id FROM jobs WHERE evicted_at IS NOT NULL AND path <> ''
                        AND state IN ('done', 'failed', 'cancelled')
                    UNION ALL
                    SELECT id FROM jobs WHERE \(areStatesKnown ? "0" : isInUnknownState)
                ) ORDER BY jobs.id
                """,
            database
        )
        var jobs: [(Job, Bool)] = []
        try statement.forEachRow { row in
            let job = JobRecord.job(row)
            jobs.append((job, job.state.rawValue != row.text(JobColumn.state.rawValue)))
        }
        return jobs
    }

    /// Returns the jobs with these ids in no particular order, leaving out those that don't exist.
    ///
    /// - Throws: ``StoreFailure``
    public func jobs(_ ids: [JobID]) throws(StoreFailure) -> [Job] {
        guard !ids.isEmpty else { return [] }
        do {
            return try engineReader.read { database in
                let statement = try BoundStatement(JobRecord.selection + " WHERE jobs.id = ?", database)
                var jobs: [Job] = []
                try writerMemory.withLock { memory in
                    for id in ids {
                        try statement.bind(id.rawValue, at: 1)
                        try statement.forEachRow { row in
                            // Who reads jobs here is about to change them.
                            memory.rows[id] = row.values
                            jobs.append(JobRecord.job(row))
                        }
                    }
                }
                return jobs
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Returns the ids of all jobs in any of these states, in ascending order.
    ///
    /// - Throws: ``StoreFailure``
    public func jobIDs(in states: [JobState]) throws(StoreFailure) -> [JobID] {
        try jobIDs("state IN (\(databaseQuestionMarks(count: states.count)))", states.map(\.rawValue))
    }

    /// Returns those of some jobs that are in other states than these; unknown states count among the others.
    ///
    /// - Throws: ``StoreFailure``
    public func jobIDs(outside states: [JobState], among jobs: [JobID]) throws(StoreFailure) -> [JobID] {
        let list = "[\(jobs.map { "\($0.rawValue)" }.joined(separator: ","))]"
        return try jobIDs(
            "id IN (SELECT value FROM json_each(?)) AND +state NOT IN (\(databaseQuestionMarks(count: states.count)))",
            [list] + states.map(\.rawValue)
        )
    }

    private func jobIDs(_ condition: String, _ values: [String]) throws(StoreFailure) -> [JobID] {
        do {
            return try engineReader.read { database in
                try Int64.fetchAll(
                    database,
                    sql: "SELECT id FROM jobs WHERE \(condition) ORDER BY id",
                    arguments: StatementArguments(values)
                ).map { JobID(rawValue: $0) }
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Returns the ids of a batch's jobs that haven't ended, in ascending order.
    ///
    /// - Throws: ``StoreFailure``
    public func jobIDs(unfinishedOf batch: BatchID) throws(StoreFailure) -> [JobID] {
        do {
            return try engineReader.read { database in
                guard let ids = try Self.ids(of: batch, database) else { return [] }
                return try Int64.fetchAll(
                    database,
                    sql: """
                        SELECT id FROM jobs WHERE id BETWEEN ? AND ? AND batch = ?
                            AND state NOT IN ('done', 'failed', 'cancelled') ORDER BY id
                        """,
                    arguments: [ids.lowerBound, ids.upperBound, batch.rawValue]
                ).map { JobID(rawValue: $0) }
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Returns the user who submitted a job; nil if unknown.
    ///
    /// - Throws: ``StoreFailure``
    public func submitter(of job: JobID) throws(StoreFailure) -> UInt32? {
        do {
            return try engineReader.read { database in
                let statement = try BoundStatement(
                    "SELECT submitted_by FROM batches JOIN jobs ON jobs.batch = batches.id WHERE jobs.id = ?",
                    database
                )
                try statement.bind(job.rawValue, at: 1)
                var user: UInt32?
                try statement.forEachRow { user = $0.user(0) }
                return user
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Returns the batch accepted under a user's idempotency key, with its jobs and the digest of its
    /// body.
    ///
    /// - Throws: ``StoreFailure``
    public func acceptedBatch(
        idempotencyKey: String,
        of user: UInt32?
    ) throws(StoreFailure) -> (batch: Batch, jobs: [JobID], bodyDigest: String)? {
        do {
            return try engineReader.read { database in
                let record = try Self.record(idempotencyKey: idempotencyKey, of: user, database)
                guard let record, let digest = record.idempotency?.last else { return nil }
                let batch = try record.batch(database)
                return (batch, try Self.jobIDs(of: batch.id, database), digest)
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Returns the stored form of a user's key.
    ///
    /// The column must be unique, and no key contains a space.
    static func keyColumn(_ key: String, of user: UInt32?) -> String {
        "\(user.map { "\($0)" } ?? "-") \(key)"
    }
}
