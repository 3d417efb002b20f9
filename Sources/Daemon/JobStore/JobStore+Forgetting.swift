import GRDB
import JobModel
import Vocabulary

/// Jobs that are forgotten: their rows go, and all that is kept of their numbers stays.
extension JobStore {
    /// Removes the rows of jobs, and brings up to date what follows from them.
    static func forget(
        _ jobs: [JobID],
        lastEnding: Int64,
        _ counts: inout JobCounts,
        _ database: Database
    ) throws {
        guard !jobs.isEmpty else { return }
        var numbers = try StoredNumbers.readOrRecover(database, countedTo: lastEnding)
        let columns = JobEnding.allCases.map { JobColumn.number(of: $0).name }.joined(separator: ", ")
        let selection = try BoundStatement("SELECT batch, state, \(columns) FROM jobs WHERE id = ?", database)
        let deletion = try BoundStatement("DELETE FROM jobs WHERE id = ?", database)
        var batches: [Int64: Int64] = [:]
        for job in jobs {
            try selection.bind(job.rawValue, at: 1)
            var isThere = false
            try selection.forEachRow { row in
                isThere = true
                batches[row.integer(0), default: 0] += 1
                counts.add(-1, BatchID(rawValue: row.integer(0)), row.text(1) ?? "")
                for (place, ending) in JobEnding.allCases.enumerated() {
                    let number = row.integer(place + 2)
                    guard number <= numbers.ending else { continue }
                    numbers.forgotten[ending] = max(numbers.forgotten[ending] ?? 0, number)
                }
            }
            guard isThere else { continue }
            try deletion.bind(job.rawValue, at: 1)
            try deletion.run()
            numbers.job = max(numbers.job, job.rawValue)
        }
        for (batch, count) in batches { try shrink(batch, by: count, &numbers, database) }
        try numbers.write(database)
    }

    /// Brings a batch's row up to date with the jobs that it still has, or removes it with the last of them.
    ///
    /// Its jobs aren't counted: a large batch is forgotten slice by slice, and each would count all that are left.
    private static func shrink(
        _ batch: Int64,
        by count: Int64,
        _ numbers: inout StoredNumbers,
        _ database: Database
    ) throws {
        guard var record = try BatchRecord.all("WHERE id = ?", [batch], database).first else { return }
        func job(_ order: String) throws -> Int64? {
            try Int64.fetchOne(
                database,
                sql:
                    "SELECT id FROM jobs WHERE id BETWEEN ? AND ? AND batch = ? ORDER BY id \(order) LIMIT 1",
                arguments: [record.firstJob, record.lastJob, batch]
            )
        }
        guard let first = try job("ASC"), let last = try job("DESC") else {
            numbers.batch = max(numbers.batch, batch)
            try database.execute(sql: "DELETE FROM job_counts WHERE batch = ?", arguments: [batch])
            try database.execute(sql: "DELETE FROM batches WHERE id = ?", arguments: [batch])
            return
        }
        (record.jobCount, record.firstJob, record.lastJob) = (max(1, record.jobCount - count), first, last)
        try record.write(database)
    }

    /// Returns the ids of up to `limit` jobs that ended before a time, in ascending order, those after `after`.
    public func jobIDs(endedBefore moment: Timestamp, after: JobID?, limit: Int) async throws -> [JobID] {
        try await searchReader.read { database in
            let statement = try BoundStatement(
                """
                SELECT id FROM jobs WHERE \(Self.visible) AND state IN ('done', 'failed', 'cancelled')
                AND finished_at < ? AND id > ? ORDER BY id LIMIT ?
                """,
                database
            )
            try statement.bind(moment.microseconds, at: 1)
            try statement.bind(after?.rawValue ?? 0, at: 2)
            try statement.bind(Int64(limit), at: 3)
            var jobs: [JobID] = []
            try statement.forEachRow { jobs.append(JobID(rawValue: $0.integer(0))) }
            return jobs
        }
    }

    /// Returns those of some contents (SHA-256 in lower-case hex) that no job's document has.
    public func contentsOfNoDocument(among contents: Set<String>) async throws -> Set<String> {
        try await searchReader.read { database in
            var left = contents
            let known = try BoundStatement(
                "SELECT 1 FROM jobs WHERE sha256 = ? AND detection_outcome IS NOT NULL AND path IS NOT NULL LIMIT 1",
                database
            )
            for content in contents {
                try known.bind(content, at: 1)
                try known.forEachRow { _ in left.remove(content) }
            }
            guard !left.isEmpty else { return left }
            // The index of contents has only those that were looked at; these are looked at later, or never.
            let others = try BoundStatement(
                """
                SELECT sha256 FROM jobs WHERE state IN ('stored', 'detecting', 'cancelled')
                AND detection_outcome IS NULL AND path IS NOT NULL AND sha256 IS NOT NULL
                """,
                database
            )
            try others.forEachRow { row in if let content = row.text(0) { left.remove(content) } }
            return left
        }
    }

    /// Returns the batch that was accepted under an idempotency key of a user's; nil if there is none.
    public func batch(idempotencyKey: String, of user: UInt32?) async throws -> Batch? {
        try await database.read { database in
            let record = try Self.record(idempotencyKey: idempotencyKey, of: user, database)
            // Nobody sees a batch whose last slice is still to come.
            guard let id = record?.id else { return nil }
            return try BatchRecord.all("WHERE id = ? AND is_visible", [id], database).first?.batch(database)
        }
    }

    /// Returns the row of the batch that was accepted under an idempotency key of a user's.
    static func record(
        idempotencyKey: String,
        of user: UInt32?,
        _ database: Database
    ) throws -> BatchRecord? {
        try BatchRecord.all("WHERE idempotency_key = ?", [keyColumn(idempotencyKey, of: user)], database)
            .first
    }
}
