import GRDB
import JobCore

extension JobStore {
    /// How many rows are looked at one after the other, which takes some milliseconds.
    private static let few: Int64 = 2000
    /// How many rows are looked at before an index of all jobs is built.
    private static let many: Int64 = 20_000

    /// Thrown where more rows than ``many`` would have to be read, and there is no index.
    private struct NeedsIndex: Error {}

    /// Reads with the search index, which is built if `body` asks for it.
    ///
    /// - Parameter body: Gets the index if there is one, and whether it may ask for it.
    func searching<Value: Sendable>(
        _ body: @escaping @Sendable (Database, SearchIndex?, _ mayAsk: Bool) throws -> Value
    ) async throws -> Value {
        do {
            return try await searchReader.read { [search] in
                try body($0, search.isReady($0) ? search : nil, true)
            }
        } catch is NeedsIndex {
            await search.build(searchReader)
            return try await searchReader.read { [search] in
                try body($0, search.isReady($0) ? search : nil, false)
            }
        }
    }

    /// Returns a page of the jobs that contain a text.
    ///
    /// What most people look for is near: a few rows are looked at first, and if there are many more, those that the
    /// index names.
    func found(
        _ text: String,
        _ filter: JobFilter,
        order: JobOrder,
        after: JobID?,
        limit: Int
    ) async throws -> JobPage {
        try await searching { database, index, mayAsk in
            guard let ids = try Self.ids(of: filter.batch, database) else {
                return JobPage(items: [], total: nil, hasMore: false)
            }
            let conditions = JobConditions(filter)
            var rest = Self.rest(of: ids, behind: after, order)
            var items: [Job] = []
            func look(_ ids: (first: Int64, last: Int64)) throws {
                items += try Self.jobs(conditions, ids, order, limit: limit + 1 - items.count, database)
            }
            func page() -> JobPage {
                JobPage(items: Array(items.prefix(limit)), total: nil, hasMore: items.count > limit)
            }
            guard let edge = try Self.row(Self.few, of: rest, order, database) else {
                try look(rest)
                return page()
            }
            switch order {
            case .oldest:
                try look((rest.first, edge))
                rest.first = edge + 1
            case .newest:
                try look((edge, rest.last))
                rest.last = edge - 1
            }
            guard items.count <= limit else { return page() }
            let number = try filter.state.map { try JobCounts.read(filter.batch, database)[$0] ?? 0 }
            guard try Self.mayBeMany(rest, database), number ?? .max > Self.many else {
                try look(rest)
                return page()
            }
            guard let index else {
                if mayAsk { throw NeedsIndex() }
                try look(rest)
                return page()
            }
            guard var candidates = index.jobs(containing: text) else {
                try look(rest)
                return page()
            }
            if let state = filter.state, let number {
                try Self.narrow(&candidates, to: state, number, database)
            }
            while items.count <= limit {
                let next = candidates.first(Self.piece(limit), from: rest.first, through: rest.last, order)
                guard let last = next.last else { break }
                var conditions = conditions
                conditions.add(candidates: next)
                items += try Self.jobs(
                    conditions,
                    (next.min() ?? 1, next.max() ?? .max),
                    order,
                    limit: limit + 1 - items.count,
                    database
                )
                switch order {
                case .oldest: rest.first = last + 1
                case .newest: rest.last = last - 1
                }
            }
            return page()
        }
    }

    /// Returns the conditions of a filter with the jobs that may contain its text, if they aren't too many to name.
    static func conditions(
        _ filter: JobFilter,
        in ids: ClosedRange<Int64>,
        _ index: SearchIndex?,
        mayAsk: Bool,
        _ database: Database
    ) throws -> JobConditions {
        var conditions = JobConditions(filter)
        conditions.add("id BETWEEN ? AND ?", ids.lowerBound, ids.upperBound)
        guard let text = filter.text, filter.ids == nil,
            try mayBeMany((ids.lowerBound, ids.upperBound), database)
        else { return conditions }
        if index == nil, mayAsk { throw NeedsIndex() }
        guard let candidates = index?.jobs(containing: text) else { return conditions }
        let named = candidates.first(
            Self.mostNamed + 1,
            from: ids.lowerBound,
            through: ids.upperBound,
            .oldest
        )
        if named.count <= Self.mostNamed { conditions.add(candidates: named) }
        return conditions
    }

    /// So many candidates are looked up by their ids; with more of them, all rows are read one after the other.
    private static let mostNamed = 100_000

    /// How many candidates are looked at together.
    private static func piece(_ limit: Int) -> Int { max(256, limit + 1) }

    /// Whether more than ``many`` rows can have ids in a range.
    private static func mayBeMany(_ ids: (first: Int64, last: Int64), _ database: Database) throws -> Bool {
        let newest = try Int64.fetchOne(database, sql: "SELECT max(id) FROM jobs") ?? 0
        return min(ids.last, newest) - ids.first >= many
    }

    /// Returns the id of the row behind so many of a range; nil if there isn't one.
    private static func row(
        _ number: Int64,
        of ids: (first: Int64, last: Int64),
        _ order: JobOrder,
        _ database: Database
    ) throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT id FROM jobs WHERE id BETWEEN ? AND ?
                ORDER BY id \(order == .oldest ? "ASC" : "DESC") LIMIT 1 OFFSET ?
                """,
            arguments: [ids.first, ids.last, number]
        )
    }

    /// Leaves of many candidates those in a state, of which there are so many jobs.
    ///
    /// States are read from their index, which has no rows to fetch.
    private static func narrow(
        _ candidates: inout JobBitmap,
        to state: JobState,
        _ number: Int,
        _ database: Database
    ) throws {
        // Looking at a candidate takes some twenty times as long as reading an entry of the index.
        guard candidates.count > Int(few), candidates.count > number / 20 else { return }
        let statement = try BoundStatement(
            "SELECT id FROM jobs INDEXED BY jobs_by_state WHERE state = ?",
            database
        )
        try statement.bind(state.rawValue, at: 1)
        var inState = JobBitmap()
        try statement.forEachRow { inState.insert($0.integer(0)) }
        candidates.formIntersection(inState)
    }
}
