import GRDB
import JobCore

/// Reads for who runs sources.
extension JobStore {
    /// All sources, those that were removed and still have keys included, by ascending number.
    public func sources() async throws -> [SourceRow] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT id, name, recipe, state FROM sources ORDER BY id").map {
                SourceRow(id: $0[0], name: $0[1], recipe: $0[2], state: $0[3])
            }
        }
    }

    /// The largest number that a source ever had; 0 for none.
    public func lastSource() async throws -> Int64 {
        try await database.read { try Int64.fetchOne($0, sql: "SELECT max(id) FROM sources") ?? 0 }
    }

    /// Which of these items a source knows.
    public func knownItems(_ hashes: [ItemHash], of source: Int64) async throws -> [ItemHash: KnownItem] {
        try await database.read { database in
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
                    item.path = row.text(4)
                    known[hash] = item
                }
            }
            return known
        }
    }

    /// Whether a source knows any item.
    public func hasKeys(source: Int64) async throws -> Bool {
        try await database.read { database in
            try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT 1 FROM source_keys WHERE source = ?)",
                arguments: [source]
            ) ?? false
        }
    }

    /// What is known of the slices of a source, by their keys.
    public func slices(of source: Int64) async throws -> [SliceRow] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT key, body FROM source_slices WHERE source = ?",
                arguments: [source]
            ).map { SliceRow(key: $0[0], body: $0[1]) }
        }
    }

    /// The pages of a source that were read last, the newest first.
    public func pages(of source: Int64) async throws -> [String] {
        try await database.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT body FROM source_pages WHERE source = ? ORDER BY id DESC",
                arguments: [source]
            )
        }
    }

    /// How many jobs of a source stand where; states without jobs are left out.
    public func jobsByState(ofSource name: String) async throws -> [JobState: Int] {
        try await searchReader.read { database in
            var counts: [JobState: Int] = [:]
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT state, count(*) FROM jobs WHERE source = ? GROUP BY state",
                arguments: [name]
            )
            while let row = try rows.next() {
                if let state = JobState(rawValue: row[0]) { counts[state] = row[1] }
            }
            return counts
        }
    }

    /// How many jobs of a source are queued or downloading, counted up to a number.
    public func unfinishedJobs(ofSource name: String, upTo most: Int) async throws -> Int {
        try await database.read { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM (SELECT 1 FROM jobs
                        WHERE source = ? AND state IN ('queued', 'downloading') LIMIT ?)
                    """,
                arguments: [name, most]
            ) ?? 0
        }
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
