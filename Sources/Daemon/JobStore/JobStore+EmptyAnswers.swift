import GRDB
import JobModel

/// The answers to batches with a key of which nothing was new.
extension JobStore {
    /// The most answers that are kept; those before them are forgotten.
    static let mostEmptyAnswers: Int64 = 10_000

    /// Returns the answer under an idempotency key of a user's; nil if there is none.
    public func emptyAnswer(
        idempotencyKey: String,
        of user: UInt32?
    ) async throws -> StoreChanges.EmptyAnswer? {
        try await database.read { database in
            let row = try Row.fetchOne(
                database,
                sql: "SELECT body_digest, known FROM empty_answers WHERE idempotency_key = ?",
                arguments: [Self.keyColumn(idempotencyKey, of: user)]
            )
            guard let digest = row.flatMap({ String.fromDatabaseValue($0[0]) }) else { return nil }
            let known = row.flatMap { Int64.fromDatabaseValue($0[1]) } ?? 0
            return StoreChanges.EmptyAnswer(
                idempotencyKey: idempotencyKey,
                submittedBy: user,
                bodyDigest: digest,
                known: Int(min(max(known, 0), Int64(Int32.max)))
            )
        }
    }

    /// Writes an answer, and forgets the oldest where there are too many.
    static func write(_ answer: StoreChanges.EmptyAnswer, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO empty_answers (idempotency_key, body_digest, known) VALUES (?, ?, ?)
                """,
            arguments: [
                keyColumn(answer.idempotencyKey, of: answer.submittedBy), answer.bodyDigest, answer.known,
            ]
        )
        try database.execute(
            sql: "DELETE FROM empty_answers WHERE id <= ?",
            arguments: [database.lastInsertedRowID - mostEmptyAnswers]
        )
    }
}
