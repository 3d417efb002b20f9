import GRDB
import JobCore

/// Reads for those who ask; each has a reader's connection of its own and
/// sees one consistent moment.
extension JobStore {
    private static let visible = "batch NOT IN (SELECT id FROM batches WHERE is_visible = 0)"

    /// One job; nil when there is none of that name.
    public func job(_ id: JobID) async throws -> Job? {
        try await database.read { database in
            let statement = try BoundStatement(
                JobRecord.selection + " WHERE jobs.id = ? AND batches.is_visible",
                database
            )
            try statement.bind(id.rawValue, at: 1)
            var job: Job?
            try statement.forEachRow { job = JobRecord.job($0) }
            return job
        }
    }

    /// Jobs by ascending id, `limit` of them at the most, with ids above `after`.
    public func jobs(_ filter: JobFilter, after: JobID?, limit: Int) async throws -> JobPage {
        try await database.read { database in
            guard let ids = try Self.ids(of: filter.batch, database) else {
                return JobPage(items: [], total: 0, hasMore: false)
            }
            var conditions = [Self.visible, "id BETWEEN ? AND ?"]
            var values = [ids.lowerBound, ids.upperBound].map(\.databaseValue)
            if let state = filter.state {
                conditions.append("state = ?")
                values.append(state.rawValue.databaseValue)
            }
            if let batch = filter.batch {
                conditions.append("batch = ?")
                values.append(batch.rawValue.databaseValue)
            }
            let total: Int
            if let text = filter.text {
                // No count is kept for what somebody may look for.
                conditions.append(TextSearch.condition)
                values += Array(repeating: TextSearch.pattern(text).databaseValue, count: 2)
                total =
                    try Int.fetchOne(
                        database,
                        sql: "SELECT count(*) FROM jobs WHERE \(conditions.joined(separator: " AND "))",
                        arguments: StatementArguments(values)
                    ) ?? 0
            } else {
                let numbers = try JobCounts.read(filter.batch, database)
                total = filter.state.map { numbers[$0] ?? 0 } ?? numbers.values.reduce(0, +)
            }
            values[0] = max(ids.lowerBound, min(after?.rawValue ?? 0, .max - 1) + 1).databaseValue
            values.append((limit + 1).databaseValue)
            let statement = try BoundStatement(
                """
                \(JobRecord.selection) WHERE jobs.id IN (
                    SELECT id FROM jobs WHERE \(conditions.joined(separator: " AND ")) ORDER BY id LIMIT ?
                ) ORDER BY jobs.id
                """,
                database
            )
            for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
            var items: [Job] = []
            try statement.forEachRow { items.append(JobRecord.job($0)) }
            let hasMore = items.count > limit
            if hasMore { items.removeLast() }
            return JobPage(items: items, total: total, hasMore: hasMore)
        }
    }

    /// What the ids of a batch's jobs lie between, or any job's; nil when there is no such batch.
    private static func ids(of batch: BatchID?, _ database: Database) throws -> ClosedRange<Int64>? {
        guard let batch else { return 1...Int64.max }
        let row = try Row.fetchOne(
            database,
            sql: "SELECT first_job, last_job FROM batches WHERE id = ? AND is_visible",
            arguments: [batch.rawValue]
        )
        guard let row, let first: Int64 = row[0], let last: Int64 = row[1], first <= last else { return nil }
        return first...last
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
        try await database.read { try Self.jobIDs(of: batch, $0) }
    }

    static func jobIDs(of batch: BatchID, _ database: Database) throws -> [JobID] {
        guard let ids = try ids(of: batch, database) else { return [] }
        let statement = try BoundStatement(
            "SELECT id FROM jobs WHERE id BETWEEN ? AND ? AND batch = ? ORDER BY id",
            database
        )
        try statement.bind(ids.lowerBound, at: 1)
        try statement.bind(ids.upperBound, at: 2)
        try statement.bind(batch.rawValue, at: 3)
        var jobs: [JobID] = []
        try statement.forEachRow { jobs.append(JobID(rawValue: $0.integer(0))) }
        return jobs
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
        return Batch(
            id: BatchID(rawValue: id),
            createdAt: Moment(storedWall: row["created_at"], steady: row["created_clock"]),
            submittedBy: row["submitted_by"],
            jobCount: row["job_count"],
            jobsByState: try JobCounts.read(BatchID(rawValue: id), database)
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
            return try Self.events(
                database,
                "WHERE events.id > ? \(narrowed) ORDER BY events.id LIMIT ?",
                arguments
            ).filter { $0.id > after }
        }
    }

    /// The newest events, `limit` rows' worth of them, by ascending id.
    ///
    /// - Throws: ``StoreFailure``
    public func latestEvents(limit: Int) throws(StoreFailure) -> [JobEvent] {
        do { return try keptEvents(upTo: .max, limit: limit) } catch { throw StoreFailure(error) }
    }

    /// The id of an event behind which all are that happened at a moment or later, by the wall clock;
    /// where that was set back, what comes behind it may be earlier.
    public func lastEvent(before moment: Timestamp) async throws -> Int64 {
        try await database.read { database in
            // Times need not ascend as ids do, so every row up to the one that is looked for is read.
            let statement = try BoundStatement(
                "SELECT id, count FROM events WHERE time >= ? ORDER BY id LIMIT 1",
                database
            )
            try statement.bind(moment.microseconds, at: 1)
            var last: Int64?
            try statement.forEachRow { last = max(0, $0.integer(0) - max(1, $0.integer(1))) }
            return try last ?? Int64.fetchOne(database, sql: "SELECT max(id) FROM events") ?? 0
        }
    }

    /// The ids of the oldest and the newest event that are kept; nil when there are none.
    public func eventRange() async throws -> ClosedRange<Int64>? {
        try await database.read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT id, count FROM events ORDER BY id LIMIT 2")
            let newest = try Int64.fetchOne(database, sql: "SELECT max(id) FROM events")
            guard let newest, var first = rows.first.map(Self.firstEvent) else { return nil }
            // One alone before a gap is there for the event log's file, and not for those who follow.
            if rows.count == 2, Self.firstEvent(rows[1]) > rows[0][0] + 1 { first = Self.firstEvent(rows[1]) }
            return first...newest
        }
    }

    private static func firstEvent(_ row: Row) -> Int64 {
        let (last, count): (Int64, Int64) = (row[0], row[1])
        return last - count + 1
    }

    /// The events of the rows that a condition selects, in its order.
    static func events(
        _ database: Database,
        _ condition: String,
        _ arguments: StatementArguments
    ) throws -> [JobEvent] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT events.id, count, time, events.batch, job, body, batches.created_at, events.clock,
                    batches.created_clock
                FROM events JOIN batches ON batches.id = events.batch \(condition)
                """,
            arguments: arguments
        ).flatMap { events($0) }
    }

    private static func events(_ row: Row) -> [JobEvent] {
        let last: Int64 = row[0]
        let count: Int64 = row[1]
        let time = Moment(storedWall: row[2], steady: row[7])
        let batch = BatchID(rawValue: row[3])
        let job = JobID(rawValue: row[4])
        let body: String = row[5]
        let createdAt = Moment(storedWall: row[6], steady: row[8])
        var id = last - count
        return body.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            let (before, kinds) = EventText.decode(line)
            // One that can't be read has its number all the same.
            id += Int64(max(kinds.count, 1))
            return zip((id - Int64(kinds.count) + 1)..., kinds).map { id, kind in
                JobEvent(
                    id: id,
                    time: Moment(
                        storedWall: time.wall.microseconds &+ before.wall,
                        steady: time.steady.microseconds &+ before.steady
                    ),
                    batchCreatedAt: createdAt,
                    batch: batch,
                    job: job,
                    kind: kind
                )
            }
        }
    }
}
