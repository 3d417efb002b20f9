import GRDB
import JobModel
import Vocabulary

extension StoredRow {
    /// Reads a user id; nil if there is none, or none that a user could have.
    ///
    /// Read as text, because SQLite turns text that is no number into 0, which is root.
    func user(_ place: Int) -> UInt32? { text(place).flatMap { UInt32($0) } }
}

/// A row of `batches`, in which damage may have left any value.
struct BatchRecord: Equatable {
    var id: Int64
    var createdAt: Moment
    var submittedBy: UInt32?
    var jobCount: Int64
    /// The idempotency key and the digest of the body that came with it.
    var idempotency: [String]?
    /// The lowest id of the batch's jobs.
    var firstJob: Int64
    var lastJob: Int64
    /// The length of each renewal of its lease, in seconds; nil if it has none.
    var lease: Int64?
    /// The number of items that were left out as known; nil if that wasn't asked for.
    var known: Int64?

    /// Reads the batches that an SQL clause selects.
    ///
    /// - Throws: `DatabaseError`
    static func all(
        _ clause: String,
        _ values: [(any DatabaseValueConvertible)?] = [],
        _ database: Database
    ) throws -> [BatchRecord] {
        let statement = try BoundStatement(
            """
            SELECT id, created_at, created_clock, submitted_by, job_count, idempotency_key, body_digest,
            first_job, last_job, lease, known FROM batches \(clause)
            """,
            database
        )
        for (index, value) in values.enumerated() {
            try statement.bind(value?.databaseValue ?? .null, at: index + 1)
        }
        var records: [BatchRecord] = []
        try statement.forEachRow { row in
            let idempotency = [row.text(5), row.text(6)].compactMap(\.self)
            records.append(
                BatchRecord(
                    id: row.integer(0),
                    createdAt: row.moment(1, 2) ?? Moment(microseconds: 0),
                    submittedBy: row.user(3),
                    jobCount: max(1, row.integer(4)),
                    idempotency: idempotency.count == 2 ? idempotency : nil,
                    firstJob: row.integer(7),
                    lastJob: row.integer(8),
                    lease: row.text(9).flatMap { Int64($0) }.flatMap { Batch.leases.contains($0) ? $0 : nil },
                    known: row.text(10).flatMap { Int64($0) }.map { min(max($0, 0), Int64(Int32.max)) }
                )
            )
        }
        return records
    }

    /// Returns the batch with its job counts.
    func batch(_ database: Database) throws -> Batch {
        Batch(
            id: BatchID(rawValue: id),
            createdAt: createdAt,
            submittedBy: submittedBy,
            jobCount: Int(jobCount),
            jobsByState: try JobCounts.read(BatchID(rawValue: id), database),
            lease: lease.map(Int.init),
            known: known.map(Int.init)
        )
    }

    /// Writes every column of the row, so that no damaged value remains that SQLite would refuse to
    /// write again.
    func write(_ database: Database) throws {
        let values: [(any DatabaseValueConvertible)?] = [
            createdAt.wall.microseconds, createdAt.steady.microseconds, submittedBy, jobCount,
            idempotency?.first, idempotency?.last, firstJob, lastJob, lease, known, id,
        ]
        try database.execute(
            sql: """
                UPDATE batches SET created_at = ?, created_clock = ?, submitted_by = ?, job_count = ?,
                    is_visible = 1, idempotency_key = ?, body_digest = ?, first_job = ?, last_job = ?,
                    lease = ?, known = ?
                WHERE id = ?
                """,
            arguments: StatementArguments(values)
        )
        guard database.changesCount == 0 else { return }
        try database.execute(
            sql: """
                INSERT INTO batches (created_at, created_clock, submitted_by, job_count, is_visible,
                    idempotency_key, body_digest, first_job, last_job, lease, known, id)
                    VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: StatementArguments(values)
        )
    }
}
