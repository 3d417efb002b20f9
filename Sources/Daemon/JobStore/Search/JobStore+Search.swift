import GRDB
import JobModel
import Vocabulary

extension JobStore {
    /// The number of rows looked at one after the other, which takes some milliseconds.
    private static let few: Int64 = 2000
    /// The number of rows that are looked at without an index.
    private static let many: Int64 = 20_000

    /// Returns a page of the jobs that contain a text or have so many faces.
    ///
    /// What most people look for is near: a few rows are looked at first, and if there are many more, those that an
    /// index names.
    func found(
        _ filter: JobFilter,
        order: JobOrder,
        after: JobID?,
        limit: Int
    ) async throws -> JobPage {
        try await searchReader.read { database in
            let total = try Self.total(filter, database)
            guard let ids = try Self.ids(of: filter.batch, database) else {
                return JobPage(items: [], total: total, hasMore: false)
            }
            let conditions = JobConditions(filter)
            var rest = Self.rest(of: ids, behind: after, order)
            var items: [Job] = []
            func look(_ ids: (first: Int64, last: Int64)) throws {
                items += try Self.jobs(conditions, ids, order, limit: limit + 1 - items.count, database)
            }
            func page() -> JobPage {
                JobPage(items: Array(items.prefix(limit)), total: total, hasMore: items.count > limit)
            }
            /// Looks at the next rows; returns whether there are no more, or enough have been found.
            func isEnough(ofNext number: Int64) throws -> Bool {
                guard let edge = try Self.row(number, of: rest, order, database) else {
                    try look(rest)
                    return true
                }
                switch order {
                case .oldest:
                    try look((rest.first, edge))
                    rest.first = edge + 1
                case .newest:
                    try look((edge, rest.last))
                    rest.last = edge - 1
                }
                return items.count > limit
            }
            if try isEnough(ofNext: Self.few) { return page() }
            let number = try filter.state.map { try JobCounts.read(filter.batch, database)[$0] ?? 0 }
            guard try Self.mayBeMany(rest, database), number ?? .max > Self.many else {
                try look(rest)
                return page()
            }
            guard let candidates = try Self.candidates(filter, in: rest, database) else {
                try look(rest)
                return page()
            }
            while items.count <= limit {
                let next = candidates.first(Self.piece(limit), from: rest.first, through: rest.last, order)
                guard let last = next.last else { break }
                var conditions = JobConditions(filter, usesIndexes: false)
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

    /// Returns the number of jobs with so many faces, in a state or a batch, which are all in their index.
    static func number(withFaces filter: JobFilter, _ database: Database) throws -> Int {
        let conditions = try JobConditions(withFaces: filter, database)
        return try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM jobs INDEXED BY jobs_by_faces WHERE \(conditions.sql)",
            arguments: StatementArguments(conditions.values)
        ) ?? 0
    }

    /// Returns the jobs of a range that indexes name for a filter, which may be some more than match it, or lie
    /// elsewhere; nil if none helps.
    private static func candidates(
        _ filter: JobFilter,
        in ids: (first: Int64, last: Int64),
        _ database: Database
    ) throws -> JobBitmap? {
        var candidates = try filter.text.map { try TextIndex.jobs(containing: $0, in: ids, database) }
        guard filter.minFaces != nil, filter.source == nil else {
            if let state = filter.state { try candidates?.narrow(to: state, database) }
            return candidates
        }
        let conditions = try JobConditions(withFaces: filter, database)
        let statement = try BoundStatement(
            "SELECT id FROM jobs INDEXED BY jobs_by_faces WHERE \(conditions.sql)",
            database
        )
        _ = try conditions.bind(to: statement)
        var withFaces = JobBitmap()
        try statement.forEachRow { withFaces.insert($0.integer(0)) }
        candidates?.formIntersection(withFaces)
        return candidates ?? withFaces
    }

    /// Returns the conditions of a filter with the jobs that indexes name for it, if they aren't too many to name.
    static func conditions(
        _ filter: JobFilter,
        in ids: ClosedRange<Int64>,
        _ database: Database
    ) throws -> JobConditions {
        var conditions = JobConditions(filter)
        conditions.add("id BETWEEN ? AND ?", ids.lowerBound, ids.upperBound)
        let range = (ids.lowerBound, ids.upperBound)
        guard filter.ids == nil, try mayBeMany(range, database),
            let candidates = try candidates(filter, in: range, database)
        else { return conditions }
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

    /// The number of candidates looked at together.
    private static func piece(_ limit: Int) -> Int { max(256, limit + 1) }

    /// Returns whether more than ``many`` rows can have ids in a range.
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
}

extension JobConditions {
    /// Creates the part of a filter that the index of faces knows.
    fileprivate init(withFaces filter: JobFilter, _ database: Database) throws {
        // Asked of each of a million entries, this takes three times as long as the rest.
        let hasHidden = try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT * FROM batches WHERE is_visible = 0)"
        )
        self.init(
            JobFilter(state: filter.state, batch: filter.batch),
            usesIndexes: false,
            isVisible: hasHidden == false
        )
        add("detection_outcome = 'counted' AND \(FacesText.count) >= ?", Int64(filter.minFaces ?? 0))
    }
}

extension JobBitmap {
    /// Leaves of many jobs those in a state.
    ///
    /// States are read from their index, which has no rows to fetch.
    fileprivate mutating func narrow(to state: JobState, _ database: Database) throws {
        // Looking at a job takes some twenty times as long as reading an entry of the index.
        let number = try JobCounts.read(nil, database)[state] ?? 0
        guard count > Self.few, count > number / 20 else { return }
        let statement = try BoundStatement(
            "SELECT id FROM jobs INDEXED BY jobs_by_state WHERE state = ?",
            database
        )
        try statement.bind(state.rawValue, at: 1)
        var inState = JobBitmap()
        try statement.forEachRow { inState.insert($0.integer(0)) }
        formIntersection(inState)
    }

    /// So few are looked at without more ado.
    private static let few = 2000
}
