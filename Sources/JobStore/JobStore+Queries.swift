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
                JobRecord.selection + " WHERE jobs.id = ? AND batches.is_visible IS NOT 0",
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
        let reader: any DatabaseReader = filter.text == nil ? database : searchReader
        return try await reader.read { database in
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
        let record = try BatchRecord.all("WHERE id = ? AND is_visible", [batch.rawValue], database).first
        guard let record, record.firstJob <= record.lastJob else { return nil }
        return record.firstJob...record.lastJob
    }

    /// One batch with its counts; nil when there is none of that name.
    public func batch(_ id: BatchID) async throws -> Batch? {
        try await database.read { database in
            try BatchRecord.all("WHERE id = ? AND is_visible", [id.rawValue], database).first?
                .batch(database)
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
            var items = try BatchRecord.all(
                "WHERE is_visible AND id > ? ORDER BY id LIMIT ?",
                [after?.rawValue ?? 0, Int64(limit) + 1],
                database
            ).map { try $0.batch(database) }
            let hasMore = items.count > limit
            if hasMore { items.removeLast() }
            return BatchPage(items: items, total: total ?? 0, hasMore: hasMore)
        }
    }

    /// Events by ascending id, with ids above `after`: `limit` rows' worth of
    /// them, each row whole.
    public func events(after: Int64, limit: Int, batch: BatchID?) async throws -> [JobEvent] {
        try await database.read { database in
            let narrowed = batch == nil ? "" : "AND events.batch = ?"
            return try Self.events(
                database,
                "WHERE events.id > ? \(narrowed) ORDER BY events.id LIMIT ?",
                [after] + (batch.map { [$0.rawValue] } ?? []) + [Int64(limit)]
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
        try await searchReader.read { database in
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
            let statement = try BoundStatement("SELECT id, count FROM events ORDER BY id LIMIT 2", database)
            var rows: [ClosedRange<Int64>] = []
            try statement.forEachRow { row in
                let last = max(row.integer(0), 1)
                rows.append(max(1, last - Self.eventCount(row, 1) + 1)...last)
            }
            let newest = try Int64.fetchOne(database, sql: "SELECT max(id) FROM events")
            guard let newest, var first = rows.first?.lowerBound else { return nil }
            // One alone before a gap is there for the event log's file, and not for those who follow.
            if rows.count == 2, rows[1].lowerBound > rows[0].upperBound + 1 { first = rows[1].lowerBound }
            guard first <= newest else { return nil }
            return first...newest
        }
    }

    /// The events of the rows that a condition selects, in its order.
    static func events(_ database: Database, _ condition: String, _ values: [Int64]) throws -> [JobEvent] {
        // One whose batch can't be told has a clock of its own.
        let statement = try BoundStatement(
            """
            SELECT events.id, count, time, events.batch, job, body, batches.created_at, events.clock,
                batches.created_clock
            FROM events LEFT JOIN batches ON batches.id = events.batch \(condition)
            """,
            database
        )
        for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
        var events: [JobEvent] = []
        try statement.forEachRow { events += Self.events($0) }
        return events
    }

    private static func events(_ row: StoredRow) -> [JobEvent] {
        let time = row.moment(2, 7) ?? Moment(microseconds: 0)
        let batch = BatchID(rawValue: row.integer(3))
        let job = JobID(rawValue: row.integer(4))
        let createdAt = row.moment(6, 8) ?? time
        let lines = (row.text(5) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
            .map(EventText.decode)
        // Their numbers end with the row's, whatever it says of how many they are.
        var id = row.integer(0) &- Int64(lines.reduce(0) { $0 + max($1.kinds.count, 1) })
        return lines.flatMap { before, kinds in
            // One that can't be read has its number all the same.
            id &+= Int64(max(kinds.count, 1))
            return kinds.enumerated().map { index, kind in
                JobEvent(
                    id: id &- Int64(kinds.count - 1 - index),
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
