import GRDB
import JobCore

/// Reads for those who ask; each has a reader's connection of its own and
/// sees one consistent moment.
extension JobStore {
    private static let visible = "batch NOT IN (SELECT id FROM batches WHERE is_visible = 0)"

    /// One job; nil when there is none of that name.
    public func job(_ id: JobID) async throws -> Job? {
        try await database.read { database in
            try Row.fetchOne(
                database,
                sql: JobRecord.selection + " WHERE jobs.id = ? AND batches.is_visible",
                arguments: [id.rawValue]
            ).map { try JobRecord(row: $0).job }
        }
    }

    /// Jobs by ascending id, `limit` of them at the most, with ids above `after`.
    public func jobs(_ filter: JobFilter, after: JobID?, limit: Int) async throws -> JobPage {
        var conditions = [Self.visible]
        var arguments = StatementArguments()
        if let state = filter.state {
            conditions.append("state = ?")
            arguments += [state.rawValue]
        }
        if let batch = filter.batch {
            conditions.append("batch = ?")
            arguments += [batch.rawValue]
        }
        if let text = filter.text {
            conditions.append(TextSearch.condition)
            arguments += [TextSearch.pattern(text), TextSearch.pattern(text)]
        }
        let matching = conditions.joined(separator: " AND ")
        return try await database.read { [arguments] database in
            let total = try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM jobs WHERE \(matching)",
                arguments: arguments
            )
            var items = try Row.fetchAll(
                database,
                sql: """
                    \(JobRecord.selection) WHERE jobs.id IN (
                        SELECT id FROM jobs WHERE \(matching) AND id > ? ORDER BY id LIMIT ?
                    ) ORDER BY jobs.id
                    """,
                arguments: arguments + [after?.rawValue ?? 0, limit + 1]
            ).map { try JobRecord(row: $0).job }
            let hasMore = items.count > limit
            if hasMore { items.removeLast() }
            return JobPage(items: items, total: total ?? 0, hasMore: hasMore)
        }
    }

    /// One batch with its counts; nil when there is none of that name.
    public func batch(_ id: BatchID) async throws -> Batch? {
        try await database.read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM batches WHERE id = ? AND is_visible",
                arguments: [id.rawValue]
            ).map { try Self.batch($0, database) }
        }
    }

    /// The jobs of a batch, by ascending id.
    public func jobIDs(of batch: BatchID) async throws -> [JobID] {
        try await database.read { database in
            try Int64.fetchAll(
                database,
                sql: "SELECT id FROM jobs WHERE batch = ? ORDER BY id",
                arguments: [batch.rawValue]
            ).map { JobID(rawValue: $0) }
        }
    }

    /// Batches by ascending id, `limit` of them at the most, with ids above `after`.
    public func batches(after: BatchID?, limit: Int) async throws -> BatchPage {
        try await database.read { database in
            let total = try Int.fetchOne(database, sql: "SELECT count(*) FROM batches WHERE is_visible")
            var items = try Row.fetchAll(
                database,
                sql: "SELECT * FROM batches WHERE is_visible AND id > ? ORDER BY id LIMIT ?",
                arguments: [after?.rawValue ?? 0, limit + 1]
            ).map { try Self.batch($0, database) }
            let hasMore = items.count > limit
            if hasMore { items.removeLast() }
            return BatchPage(items: items, total: total ?? 0, hasMore: hasMore)
        }
    }

    static func batch(_ row: Row, _ database: Database) throws -> Batch {
        let id: Int64 = row["id"]
        var counts: [JobState: Int] = [:]
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT state, count(*) FROM jobs WHERE batch = ? GROUP BY state",
            arguments: [id]
        )
        for row in rows {
            if let state = JobState(rawValue: row[0]) { counts[state] = row[1] }
        }
        return Batch(
            id: BatchID(rawValue: id),
            createdAt: Timestamp(microseconds: row["created_at"]),
            submittedBy: row["submitted_by"],
            jobCount: row["job_count"],
            jobsByState: counts
        )
    }

    /// Events by ascending id, with ids above `after`: `limit` rows' worth of
    /// them, each row whole.
    public func events(after: Int64, limit: Int, batch: BatchID?) async throws -> [JobEvent] {
        try await database.read { database in
            let narrowed = batch == nil ? "" : "AND events.batch = ?"
            var arguments: StatementArguments = [after]
            if let batch { arguments += [batch.rawValue] }
            arguments += [limit]
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT events.id, count, time, events.batch, job, body, created_at
                    FROM events JOIN batches ON batches.id = events.batch
                    WHERE events.id > ? \(narrowed) ORDER BY events.id LIMIT ?
                    """,
                arguments: arguments
            )
            return rows.flatMap { Self.events($0) }.filter { $0.id > after }
        }
    }

    /// The newest events, `limit` rows' worth of them, by ascending id.
    ///
    /// - Throws: ``StoreFailure``
    public func latestEvents(limit: Int) throws(StoreFailure) -> [JobEvent] {
        do {
            return try database.read { database in
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT events.id, count, time, events.batch, job, body, created_at
                        FROM events JOIN batches ON batches.id = events.batch
                        ORDER BY events.id DESC LIMIT ?
                        """,
                    arguments: [limit]
                ).reversed().flatMap { Self.events($0) }
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// The ids of the oldest and the newest event that are kept; nil when there are none.
    public func eventRange() async throws -> ClosedRange<Int64>? {
        try await database.read { database in
            let oldest = try Row.fetchOne(database, sql: "SELECT id, count FROM events ORDER BY id LIMIT 1")
            let newest = try Int64.fetchOne(database, sql: "SELECT max(id) FROM events")
            guard let oldest, let newest else { return nil }
            let last: Int64 = oldest[0]
            let count: Int64 = oldest[1]
            return (last - count + 1)...newest
        }
    }

    private static func events(_ row: Row) -> [JobEvent] {
        let last: Int64 = row[0]
        let count: Int64 = row[1]
        let time = Timestamp(microseconds: row[2])
        let batch = BatchID(rawValue: row[3])
        let job = JobID(rawValue: row[4])
        let body: String = row[5]
        let createdAt = Timestamp(microseconds: row[6])
        var id = last - count
        return body.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
            id += 1
            guard let kind = EventText.decode(line) else { return nil }
            return JobEvent(
                id: id,
                time: time,
                batchCreatedAt: createdAt,
                batch: batch,
                job: job,
                kind: kind
            )
        }
    }
}
