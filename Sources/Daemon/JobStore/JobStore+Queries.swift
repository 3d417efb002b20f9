import GRDB
import JobModel
import Vocabulary

/// Queries of clients, each on a reader's connection of its own with one consistent view.
extension JobStore {
    /// True for jobs of batches that were accepted whole.
    static let visible = "batch NOT IN (SELECT id FROM batches WHERE is_visible = 0)"

    /// Returns one job; nil if there is none with this id.
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

    /// Returns the paths of the newest documents, so many of them at most, looking at the last jobs alone.
    public func newestDocuments(atMost count: Int) throws(StoreFailure) -> [String] {
        do {
            return try engineReader.read { database in
                let statement = try BoundStatement(
                    """
                    SELECT path FROM (SELECT path FROM jobs ORDER BY id DESC LIMIT 10000)
                    WHERE path > '' LIMIT ?
                    """,
                    database
                )
                try statement.bind(Int64(count), at: 1)
                var paths: [String] = []
                try statement.forEachRow { if let path = $0.text(0) { paths.append(path) } }
                return paths
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Returns whether a job's document has been removed, be it to make room or on request; blocks its thread.
    public func wasEvicted(_ id: JobID) -> Bool {
        let answer = try? database.read { database in
            let statement = try BoundStatement(
                "SELECT 1 FROM jobs WHERE id = ? AND evicted_at IS NOT NULL",
                database
            )
            try statement.bind(id.rawValue, at: 1)
            var isEvicted = false
            try statement.forEachRow { _ in isEvicted = true }
            return isEvicted
        }
        return answer ?? false
    }

    /// Returns up to `limit` jobs in order of their ids, those after `after`.
    public func jobs(
        _ filter: JobFilter,
        order: JobOrder = .oldest,
        after: JobID?,
        limit: Int
    ) async throws -> JobPage {
        if filter.ids == nil, filter.text != nil || filter.minFaces != nil {
            return try await found(filter, order: order, after: after, limit: limit)
        }
        return try await reading(isWide: filter.isWide) { database in
            let total = try Self.total(filter, database)
            guard let ids = try Self.ids(of: filter.batch, database) else {
                return JobPage(items: [], total: total, hasMore: false)
            }
            let conditions = JobConditions(filter)
            let rest = Self.rest(of: ids, behind: after, order)
            var items = try Self.jobs(conditions, rest, order, limit: limit + 1, database)
            let hasMore = items.count > limit
            if hasMore { items.removeLast() }
            return JobPage(items: items, total: total, hasMore: hasMore)
        }
    }

    /// Reads with the reader for queries that may read very many rows, if this one may.
    func reading<Value: Sendable>(
        isWide: Bool,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        isWide ? try await searchReader.read(body) : try await database.read(body)
    }

    /// Returns the first jobs of a range of ids that meet conditions, at most so many.
    static func jobs(
        _ conditions: JobConditions,
        _ ids: (first: Int64, last: Int64),
        _ order: JobOrder,
        limit: Int,
        _ database: Database
    ) throws -> [Job] {
        var conditions = conditions
        conditions.add("id BETWEEN ? AND ?", ids.first, ids.last)
        let direction = order == .oldest ? "ASC" : "DESC"
        let statement = try BoundStatement(
            """
            \(JobRecord.selection) WHERE jobs.id IN (
                SELECT id FROM jobs WHERE \(conditions.sql) ORDER BY id \(direction) LIMIT ?
            ) ORDER BY jobs.id \(direction)
            """,
            database
        )
        try statement.bind(Int64(limit), at: try conditions.bind(to: statement))
        var items: [Job] = []
        try statement.forEachRow { items.append(JobRecord.job($0)) }
        return items
    }

    /// Returns the first and last id of what follows the previous page; the first is above the last if nothing does.
    static func rest(
        of ids: ClosedRange<Int64>,
        behind after: JobID?,
        _ order: JobOrder
    ) -> (first: Int64, last: Int64) {
        guard let after = after?.rawValue else { return (ids.lowerBound, ids.upperBound) }
        switch order {
        case .oldest: return (max(ids.lowerBound, min(after, .max - 1) + 1), ids.upperBound)
        case .newest: return (ids.lowerBound, min(ids.upperBound, max(after, 1) - 1))
        }
    }

    /// Returns the number of jobs that match a filter; nil if it has a text, since all rows would have to be read.
    static func total(_ filter: JobFilter, _ database: Database) throws -> Int? {
        guard filter.text == nil else { return nil }
        guard let ids = try ids(of: filter.batch, database) else { return 0 }
        if filter.isCounted {
            let numbers = try JobCounts.read(filter.batch, database)
            return filter.state.map { numbers[$0] ?? 0 } ?? numbers.values.reduce(0, +)
        }
        // No counts are kept for searches.
        if filter.minFaces != nil, filter.outcome == nil, filter.meta.isEmpty, filter.source == nil,
            filter.ids == nil
        {
            return try number(withFaces: filter, database)
        }
        let conditions = try conditions(filter, in: ids, database)
        return try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM jobs WHERE \(conditions.sql)",
            arguments: StatementArguments(conditions.values)
        )
    }

    /// Returns the range of the ids of a batch's jobs, or of all jobs; nil if there is no such batch.
    static func ids(of batch: BatchID?, _ database: Database) throws -> ClosedRange<Int64>? {
        guard let batch else { return 1...Int64.max }
        let record = try BatchRecord.all("WHERE id = ? AND is_visible", [batch.rawValue], database).first
        guard let record, record.firstJob <= record.lastJob else { return nil }
        return record.firstJob...record.lastJob
    }

    /// Returns one batch with its counts; nil if there is none with this id.
    public func batch(_ id: BatchID) async throws -> Batch? {
        try await database.read { database in
            try BatchRecord.all("WHERE id = ? AND is_visible", [id.rawValue], database).first?
                .batch(database)
        }
    }

    /// Returns the ids of a batch's jobs in ascending order.
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

    /// Returns up to `limit` batches behind `after`, by their ids in the order asked for.
    public func batches(
        after: BatchID?,
        limit: Int,
        order: JobOrder = .oldest,
        areUnfinished: Bool = false
    ) async throws -> BatchPage {
        let unfinished = JobState.allCases.filter { !$0.isFinal }.map { "'\($0.rawValue)'" }
        let wanted =
            "WHERE is_visible"
            + (areUnfinished
                ? """
                 AND id IN (SELECT batch FROM job_counts WHERE number > 0
                AND state IN (\(unfinished.joined(separator: ", "))))
                """ : "")
        let (beyond, sorted) = order == .oldest ? (">", "ASC") : ("<", "DESC")
        return try await database.read { database in
            let total = try Int.fetchOne(database, sql: "SELECT count(*) FROM batches \(wanted)")
            var items = try BatchRecord.all(
                "\(wanted) AND id \(beyond) ? ORDER BY id \(sorted) LIMIT ?",
                [after?.rawValue ?? (order == .oldest ? 0 : .max), Int64(limit) + 1],
                database
            ).map { try $0.batch(database) }
            let hasMore = items.count > limit
            if hasMore { items.removeLast() }
            return BatchPage(items: items, total: total ?? 0, hasMore: hasMore)
        }
    }

    /// Returns events with ids above `after` in ascending order, from up to `limit` rows, each read in
    /// full.
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

    /// Returns the newest events in ascending order, from up to `limit` rows.
    public func latestEvents(limit: Int) throws(StoreFailure) -> [JobEvent] {
        do { return try keptEvents(upTo: .max, limit: limit) } catch { throw StoreFailure(error) }
    }

    /// Returns the id of an event after which come all that happened at or after a time of the wall
    /// clock.
    ///
    /// If that clock was set back, earlier ones may be among them.
    public func lastEvent(before moment: Timestamp) async throws -> Int64 {
        try await searchReader.read { database in
            // Times need not ascend with ids, so every row up to the one sought is read.
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

    /// Returns the id of an event after which come the newest `count` events that are kept, of a batch or of all.
    public func lastEvent(leaving count: Int, of batch: BatchID?) async throws -> Int64 {
        try await searchReader.read { database in
            let narrowed = batch == nil ? "" : "WHERE batch = ?"
            let statement = try BoundStatement(
                "SELECT id, count FROM events \(narrowed) ORDER BY id DESC LIMIT ?",
                database
            )
            if let batch { try statement.bind(batch.rawValue, at: 1) }
            // A row has one event or more.
            try statement.bind(Int64(max(1, count)), at: batch == nil ? 1 : 2)
            var left = Int64(count)
            var last: Int64 = 0
            var isFirst = true
            try statement.forEachRow { row in
                if isFirst { (last, isFirst) = (row.integer(0), false) }
                guard left > 0 else { return }
                let number = Self.eventCount(row, 1)
                last = max(0, row.integer(0) - min(number, left))
                left -= number
            }
            return last
        }
    }

    /// Returns the ids of the oldest and the newest event kept; nil if there are none.
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
            // A single event before a gap is kept for the event log's file, not for followers.
            if rows.count == 2, rows[1].lowerBound > rows[0].upperBound + 1 { first = rows[1].lowerBound }
            guard first <= newest else { return nil }
            return first...newest
        }
    }

    /// Reads the events of the rows that an SQL condition selects, in its order.
    static func events(_ database: Database, _ condition: String, _ values: [Int64]) throws -> [JobEvent] {
        // A row whose batch is unknown measures from its own time.
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
        let job = row.integer(4)
        let createdAt = row.moment(6, 8) ?? time
        let lines = EventText.parts(of: (row.text(5) ?? "")[...], at: 0x0A).map(EventText.decode)
        // The row has the id of its last event. Counting back from there doesn't depend on the number of
        // events that the row claims.
        var id = row.integer(0) &- Int64(lines.reduce(0) { $0 + max($1.kinds.count, 1) })
        return lines.flatMap { line in
            // An unreadable event still takes up an id.
            id &+= Int64(max(line.kinds.count, 1))
            return line.kinds.enumerated().map { index, kind in
                JobEvent(
                    id: id &- Int64(line.kinds.count - 1 - index),
                    time: Moment(
                        storedWall: time.wall.microseconds &+ line.before.wall,
                        steady: time.steady.microseconds &+ line.before.steady
                    ),
                    batchCreatedAt: createdAt,
                    batch: batch,
                    job: JobID(rawValue: job &+ line.jobsAfter),
                    kind: kind
                )
            }
        }
    }
}
