import GRDB
import JobModel
import Vocabulary

/// Reads for who runs sources.
extension JobStore {
    /// All sources, those that were removed and still have keys included, by ascending number.
    ///
    /// What damage has made NULL is an empty text, which is neither a recipe nor a state.
    public func sources() async throws -> [SourceRow] {
        try await database.read(Self.sources)
    }

    static func sources(_ database: Database) throws -> [SourceRow] {
        var rows: [SourceRow] = []
        try BoundStatement("SELECT id, name, recipe, state FROM sources ORDER BY id", database)
            .forEachRow { row in
                rows.append(
                    SourceRow(
                        id: row.integer(0),
                        name: row.text(1),
                        recipe: row.text(2) ?? "",
                        state: row.text(3) ?? ""
                    )
                )
            }
        return rows
    }

    /// The largest number that a source ever had; 0 for none.
    public func lastSource() async throws -> Int64 {
        try await database.read { try Int64.fetchOne($0, sql: "SELECT max(id) FROM sources") ?? 0 }
    }

    /// Returns those of the items that a source knows.
    public func knownItems(_ hashes: [ItemHash], of source: Int64) async throws -> [ItemHash: KnownItem] {
        try await database.read { try Self.knownItems(hashes, of: source, $0) }
    }

    static func knownItems(
        _ hashes: [ItemHash],
        of source: Int64,
        _ database: Database
    ) throws -> [ItemHash: KnownItem] {
        let statement = try BoundStatement(
            """
            SELECT source_keys.job, jobs.state, jobs.url, coalesce(jobs.error_code, jobs.waiting_code), jobs.path
            FROM source_keys LEFT JOIN jobs ON jobs.id = source_keys.job
            WHERE source_keys.source = ? AND high = ? AND low = ?
            """,
            database
        )
        var known: [ItemHash: KnownItem] = [:]
        for hash in hashes {
            try statement.bind(source, at: 1)
            try statement.bind(Int64(bitPattern: hash.high), at: 2)
            try statement.bind(Int64(bitPattern: hash.low), at: 3)
            try statement.forEachRow { row in
                var item = KnownItem(job: JobID(rawValue: row.integer(0)))
                let isTroubled = ["failed", "waiting"].contains(row.text(1))
                if isTroubled, let url = row.text(2), let code = row.text(3) {
                    item.trouble = .init(url: url, code: FailureCode(rawValue: code))
                }
                let isPending = ["queued", "downloading", "waiting", "paused"].contains(row.text(1))
                if isPending { item.pendingURL = row.text(2) }
                // One that was removed to make room isn't missing.
                item.path = row.text(4).flatMap { $0.isEmpty ? nil : $0 }
                known[hash] = item
            }
        }
        return known
    }

    /// Returns whether a source knows any item.
    public func hasKeys(source: Int64) async throws -> Bool {
        try await database.read { database in
            try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT 1 FROM source_keys WHERE source = ?)",
                arguments: [source]
            ) ?? false
        }
    }

    /// Returns the records of the slices of a source, by their keys.
    public func slices(of source: Int64) async throws -> [SliceRow] {
        try await database.read { database in
            let statement = try BoundStatement(
                "SELECT key, body FROM source_slices WHERE source = ?",
                database
            )
            try statement.bind(source, at: 1)
            var slices: [SliceRow] = []
            try statement.forEachRow { row in
                guard let key = row.text(0), let body = row.text(1) else { return }
                slices.append(SliceRow(key: key, body: body))
            }
            return slices
        }
    }

    /// The pages of a source that were read last, the newest first.
    public func pages(of source: Int64) async throws -> [String] {
        try await database.read { database in
            let statement = try BoundStatement(
                "SELECT body FROM source_pages WHERE source = ? ORDER BY id DESC",
                database
            )
            try statement.bind(source, at: 1)
            var pages: [String] = []
            try statement.forEachRow { row in
                if let body = row.text(0) { pages.append(body) }
            }
            return pages
        }
    }

    /// Returns the number of a source's jobs in each state; states without jobs are left out.
    public func jobsByState(ofSource name: String) async throws -> [JobState: Int] {
        try await searchReader.read { database in
            let statement = try BoundStatement(
                "SELECT state, count(*) FROM jobs WHERE source = ? GROUP BY state",
                database
            )
            try statement.bind(name, at: 1)
            var counts: [JobState: Int] = [:]
            try statement.forEachRow { row in
                if let state = JobState(rawValue: row.text(0) ?? "") { counts[state] = Int(row.integer(1)) }
            }
            return counts
        }
    }

    /// Returns the number of a source's jobs that are queued or downloading, and of its items that a fleet has or is
    /// to have; each is counted up to a limit.
    public func unfinishedJobs(ofSource name: String, upTo most: Int) async throws -> Int {
        try await database.read { try Self.unfinishedJobs(ofSource: name, upTo: most, $0) }
    }

    static func unfinishedJobs(ofSource name: String, upTo most: Int, _ database: Database) throws -> Int {
        try Int.fetchOne(
            database,
            sql: """
                SELECT (SELECT count(*) FROM (SELECT 1 FROM jobs
                        WHERE source = ?1 AND state IN ('queued', 'downloading') LIMIT ?2))
                    + (SELECT count(*) FROM (SELECT 1 FROM handed_items WHERE source = ?1 LIMIT ?2))
                """,
            arguments: [name, most]
        ) ?? 0
    }

    /// The jobs of a source that can still be cancelled, by ascending id.
    public func cancellableJobs(ofSource name: String) async throws -> [JobID] {
        try await searchReader.read { database in
            try Int64.fetchAll(
                database,
                sql: """
                    SELECT id FROM jobs WHERE source = ?
                        AND state IN ('queued', 'downloading', 'waiting', 'paused') ORDER BY id
                    """,
                arguments: [name]
            ).map { JobID(rawValue: $0) }
        }
    }
}
