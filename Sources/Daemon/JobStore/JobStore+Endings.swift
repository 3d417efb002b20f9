import GRDB
import JobModel
import Vocabulary

/// The endings of jobs, in order.
extension JobStore {
    /// The number of endings handed on at once, a tenth of what most followers ask for.
    private static let piece = 100

    /// Returns endings in ascending order of number.
    ///
    /// Numbers become visible in their order, so a follower that has read up to one has missed none before it.
    public func endings(_ query: EndingQuery) async throws -> EndingPage {
        try await read(query) { database in
            var items: [EndedJob] = []
            var page = try Self.endings(query, database) { items += $0 }
            page.items = items
            return page
        }
    }

    /// Hands on endings in ascending order of number, piece by piece while more of them are read, and returns
    /// the page without them.
    ///
    /// All are read in one transaction.
    public func endings(
        _ query: EndingQuery,
        _ emit: @escaping @Sendable ([EndedJob]) -> Void
    ) async throws -> EndingPage {
        try await read(query) { database in try Self.endings(query, database, emit) }
    }

    private func read(
        _ query: EndingQuery,
        _ body: @escaping @Sendable (Database) throws -> EndingPage
    ) async throws -> EndingPage {
        let filter = query.filter
        // Even for one source, all endings since then may have to be looked at.
        let isWide = filter.ids == nil && (filter.isWide || filter.source != nil || filter.state != nil)
        return try await reading(isWide: isWide, body)
    }

    private static func endings(
        _ query: EndingQuery,
        _ database: Database,
        _ emit: ([EndedJob]) -> Void
    ) throws -> EndingPage {
        let numbers = try StoredNumbers.readOrRecover(database)
        var page = EndingPage(
            items: [],
            total: 0,
            hasMore: false,
            oldest: numbers.forgotten(of: query.endings),
            newest: numbers.ending
        )
        let ids = try Self.ids(of: query.filter.batch, database)
        guard let ids, !query.endings.isEmpty else { return page }
        let choice = Choice(query, ids, numbers)
        var found: [(number: Int64, job: Int64, ending: JobEnding)] = []
        try choice.statement(database).forEachRow { row in
            guard let ending = JobEnding(rawValue: row.text(2) ?? "") else { return }
            found.append((row.integer(0), row.integer(1), ending))
        }
        page.hasMore = found.count > query.limit
        if page.hasMore { found.removeLast() }
        let row = try BoundStatement(JobRecord.selectionOfShown + " WHERE jobs.id = ?", database)
        var (items, count): ([EndedJob], Int) = ([], 0)
        for (number, job, ending) in found {
            try row.bind(job, at: 1)
            try row.forEachRow {
                items.append(EndedJob(job: JobRecord.job($0), ending: ending, number: number))
                count += 1
            }
            if items.count == piece {
                emit(items)
                items.removeAll(keepingCapacity: true)
            }
        }
        if !items.isEmpty { emit(items) }
        page.total = try page.hasMore || query.after != nil ? choice.count(database) : count
        page.total = max(page.total, count + (page.hasMore ? 1 : 0))
        return page
    }

    /// Returns how SQLite finds a page, for tests.
    static func plan(of query: EndingQuery, _ database: Database) throws -> [String] {
        let choice = Choice(query, 1...Int64.max, try StoredNumbers.readOrRecover(database))
        let page = choice.page
        return try Row.fetchAll(
            database,
            sql: "EXPLAIN QUERY PLAN " + page.sql,
            arguments: StatementArguments(page.values)
        ).compactMap { $0["detail"] }
    }

    /// The endings that match a query, as SQL.
    private struct Choice {
        private let query: EndingQuery
        private let conditions: JobConditions
        /// True if a few jobs are searched, those named or those of a batch, instead of all endings.
        private let isByJob: Bool
        /// The numbers of the endings that are asked for; no higher one was given by counting.
        private let first: Int64
        private let last: Int64

        /// The size up to which a batch is searched whole.
        private static let smallBatch = 20_000

        init(_ query: EndingQuery, _ ids: ClosedRange<Int64>, _ numbers: StoredNumbers) {
            self.query = query
            last = min(numbers.ending, JobStore.largestID + StoredNumbers.leap)
            first = min(query.endedAfter, last) + 1
            isByJob = query.filter.ids != nil || query.filter.batch != nil && ids.count <= Self.smallBatch
            var conditions = JobConditions(query.filter, usesIndexes: isByJob)
            if isByJob { conditions.add("id BETWEEN ? AND ?", ids.lowerBound, ids.upperBound) }
            self.conditions = conditions
        }

        /// Returns the endings of all kinds, merged, for which SQLite needs no sorting; or one kind after the
        /// other, which takes a third of the time.
        private func endings(
            between first: Int64,
            and last: Int64,
            _ conditions: JobConditions?,
            isMerged: Bool = true,
            limit: Int
        ) -> (sql: String, values: [DatabaseValue]) {
            let direction = query.order == .oldest ? "ASC" : "DESC"
            var parts: [String] = []
            var values: [DatabaseValue] = []
            for ending in query.endings.sorted(by: { $0.rawValue < $1.rawValue }) {
                let column = JobColumn.number(of: ending).name
                // A sign in front keeps a column from being looked up in its index.
                let term = isByJob ? "+\(column)" : column
                parts.append(
                    """
                    SELECT \(column) AS number, id, '\(ending.rawValue)' AS ending FROM jobs
                    WHERE \(term) BETWEEN ? AND ?\(conditions.map { " AND \($0.sql)" } ?? "")
                    """
                )
                values += [first, last].map(\.databaseValue) + (conditions?.values ?? [])
            }
            return (
                parts.joined(separator: " UNION ALL ") + (isMerged ? " ORDER BY number \(direction)" : "")
                    + " LIMIT \(limit)",
                values
            )
        }

        /// The endings of the page, and one more.
        var page: (sql: String, values: [DatabaseValue]) {
            var (first, last) = (first, last)
            switch (query.order, query.after) {
            case (_, nil): break
            case (.oldest, let after?): first = max(first, min(after, last) + 1)
            case (.newest, let after?): last = min(last, max(after, 0) - 1)
            }
            return endings(between: first, and: last, conditions, limit: query.limit + 1)
        }

        func statement(_ database: Database) throws -> BoundStatement {
            let (sql, values) = page
            let statement = try BoundStatement(sql, database)
            for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
            return statement
        }

        /// Returns the number of endings that match, among those that are counted.
        func count(_ database: Database) throws -> Int {
            // Numbers are in their indexes; of jobs that all match, the rows needn't be read.
            let isHiding = "SELECT EXISTS (SELECT 1 FROM batches WHERE is_visible = 0)"
            let matchesAll = try query.filter == JobFilter() && Bool.fetchOne(database, sql: isHiding) != true
            var (sql, values) = endings(
                between: first,
                and: last,
                isByJob ? conditions : nil,
                isMerged: !matchesAll,
                limit: EndingPage.countedEndings
            )
            if !isByJob, !matchesAll {
                let ended = "(SELECT id AS ended_job FROM (\(sql)))"
                sql = "SELECT 1 FROM \(ended) CROSS JOIN jobs ON id = ended_job WHERE \(conditions.sql)"
                values += conditions.values
            }
            return try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM (\(sql))",
                arguments: StatementArguments(values)
            ) ?? 0
        }
    }
}
