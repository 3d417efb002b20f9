import GRDB
import JobCore
import JobModel
import Vocabulary

extension JobStore {
    /// Reads the state from which the engine starts, fills in the jobs that wait, and removes batches that were
    /// never completely accepted, and so never answered.
    ///
    /// - Throws: ``StoreFailure``, in which case nothing was filled in.
    public func storedState(filling waiting: inout WaitingJobs) throws(StoreFailure) -> StoredState {
        let empty = waiting
        do {
            let (state, filled) = try write { database in
                // An attempt that finds an index wrong is followed by another, which begins again.
                var filled = empty
                return (try Self.storedState(&filled, database), filled)
            }
            waiting = filled
            return state
        } catch {
            throw failure(error)
        }
    }

    private static func storedState(
        _ waiting: inout WaitingJobs,
        _ database: Database
    ) throws -> StoredState {
        try settleHiddenBatches(database)
        let recount = Recount(database: database)
        var counted = try recount.countedStates()
        let areKnown = counted.keys.allSatisfy { JobState(rawValue: $0) != nil }
        var unfinished = try unfinishedJobs(areStatesKnown: areKnown, database)
        if try write(brokenOf: unfinished, database) { counted = try recount.countedStates() }
        if try recount.settle(counted) {
            // The repair may have moved a job to another batch.
            unfinished = try readAgain(unfinished, database)
        }
        // What was being looked at when the daemon ended is looked at first.
        for known in unfinished where known.job.state == .detecting { waiting.documents.enqueue(known.job) }
        let rows = WaitingRows(database: database)
        try rows.queue(into: &waiting.transfers)
        let others = try read(rows.queueDocuments(into: &waiting), database)
        if try write(brokenOf: others, database) {
            counted = try recount.countedStates()
            _ = try recount.settle(counted)
        }
        unfinished = (unfinished + others).sorted { $0.job.id < $1.job.id }
        var state = StoredState()
        for (name, number) in counted {
            if let known = JobState(rawValue: name) { state.jobsByState[known] = Int(number) }
        }
        state.broken = unfinished.filter(\.isBroken).map(\.job)
        state.unfinished = unfinished.map(\.job).filter {
            !$0.state.isFinal || $0.reservation != nil || $0.isBeingEvicted
        }
        state.evictables = try evictables(database)
        state.leases = try unfinishedLeases(database)
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

    /// A job, and whether its row had to be read as failed.
    private typealias ReadJob = (job: Job, isBroken: Bool)

    /// Writes those jobs whose rows make no sense as they were read; returns whether there were any.
    private static func write(brokenOf jobs: [ReadJob], _ database: Database) throws -> Bool {
        let broken = jobs.filter(\.isBroken).map(\.job)
        guard !broken.isEmpty else { return false }
        try write(broken: broken, database)
        return true
    }

    /// Reads jobs by their ids.
    private static func read(_ ids: [JobID], _ database: Database) throws -> [ReadJob] {
        let statement = try BoundStatement(JobRecord.selection + " WHERE jobs.id = ?", database)
        var jobs: [ReadJob] = []
        for id in ids {
            try statement.bind(id.rawValue, at: 1)
            try statement.forEachRow { jobs.append(readJob($0)) }
        }
        return jobs
    }

    private static func readAgain(_ jobs: [ReadJob], _ database: Database) throws -> [ReadJob] {
        let broken = Set(jobs.filter(\.isBroken).map(\.job.id))
        return try read(jobs.map(\.job.id), database).map { ($0.job, broken.contains($0.job.id)) }
    }

    private static func readJob(_ row: StoredRow) -> ReadJob {
        let job = JobRecord.job(row)
        return (job, job.state.rawValue != row.text(JobColumn.state.rawValue))
    }

    /// Returns the largest plausible id, 0 if there is none.
    private static func largest(_ source: String, _ database: Database) throws -> Int64 {
        let sql = "SELECT \(source) WHERE id BETWEEN 1 AND \(largestID) ORDER BY id DESC LIMIT 1"
        return try Int64.fetchOne(database, sql: sql) ?? 0
    }

    /// Reads what is known of the documents that may be removed to make room.
    private static func evictables(_ database: Database) throws -> [EvictableDocument] {
        let statement = try BoundStatement(
            """
            SELECT id, bytes, state = 'done' AND is_pinned = 0 AND document_mark IS NOT NULL, evicted_at IS NOT NULL,
                coalesce(finished_clock, 0), coalesce(served_clock, 0)
            FROM jobs WHERE is_evictable = 1 AND path <> ''
            """,
            database
        )
        var documents: [EvictableDocument] = []
        try statement.forEachRow { row in
            documents.append(
                EvictableDocument(
                    job: JobID(rawValue: row.integer(0)),
                    bytes: min(max(row.integer(1), 0), Job.largestLength),
                    lastUse: SteadyTime(stored: max(row.integer(4), row.integer(5))),
                    standing: row.integer(2) == 0 ? .stays : row.integer(3) == 0 ? .mayGo : .leaves
                )
            )
        }
        return documents
    }

    /// Reads the jobs that were being worked on or reserve a name, and those in unknown states.
    private static func unfinishedJobs(areStatesKnown: Bool, _ database: Database) throws -> [ReadJob] {
        let statement = try BoundStatement(
            JobRecord.selection + """
                 WHERE jobs.id IN (
                    SELECT id FROM jobs WHERE state IN ('downloading', 'waiting', 'detecting')
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
        var jobs: [ReadJob] = []
        try statement.forEachRow { jobs.append(readJob($0)) }
        return jobs
    }

    /// Returns the jobs with these ids in no particular order, leaving out those that don't exist.
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
                            // Callers read jobs here in order to change them.
                            memory.rows[id] = .read(row.values)
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

    /// Returns the user who submitted a job; nil if unknown.
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
