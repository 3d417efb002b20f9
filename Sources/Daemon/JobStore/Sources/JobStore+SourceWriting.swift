import GRDB
import JobModel
import Vocabulary

/// Writing of sources, in the transaction of the jobs that came of them.
extension JobStore {
    static func write(_ write: SourceWrite, _ database: Database) throws {
        try takeBack(write.returned, database)
        guard let row = write.row else { return }
        let source = row.id
        try forget(write.forgets, of: source, database)
        if let name = row.name { try free(name, for: source, database) }
        try database.execute(
            sql: """
                INSERT INTO sources (id, name, recipe, state) VALUES (?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, recipe = excluded.recipe,
                    state = excluded.state
                """,
            arguments: [source, row.name, row.recipe, row.state]
        )
        guard row.name != nil else { return try remove(source, database) }
        for slice in write.slices {
            try database.execute(
                sql: "INSERT OR REPLACE INTO source_slices (source, key, body) VALUES (?, ?, ?)",
                arguments: [source, slice.key, slice.body]
            )
        }
        try handOver(write.handed, database)
        // No job has the number 0.
        let first = write.handed.isEmpty ? write.firstJob?.rawValue : 0
        try insert(write.keys, of: source, firstJob: first, database)
        try note(write.checks, of: source, database)
        guard let page = write.page else { return }
        try database.execute(
            sql: "INSERT INTO source_pages (source, body) VALUES (?, ?)",
            arguments: [source, page]
        )
        try database.execute(
            sql: """
                DELETE FROM source_pages WHERE source = ?1 AND id <= (
                    SELECT id FROM source_pages WHERE source = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
                """,
            arguments: [source, SourceWrite.mostPages]
        )
    }

    /// Frees a name held by a damaged row from which no source could be read.
    ///
    /// The row goes on as that of a removed source: its items are those of a list that nobody knows any more.
    private static func free(_ name: String, for source: Int64, _ database: Database) throws {
        let others = try Int64.fetchAll(
            database,
            sql: "SELECT id FROM sources WHERE name = ? AND id <> ?",
            arguments: [name, source]
        )
        for other in others {
            try database.execute(sql: "DELETE FROM sources WHERE id = ?", arguments: [other])
            try database.execute(
                sql: "INSERT INTO sources (id, name, recipe, state) VALUES (?, NULL, '', '{}')",
                arguments: [other]
            )
        }
    }

    /// A source that was removed goes with the last of its keys.
    private static func remove(_ source: Int64, _ database: Database) throws {
        try database.execute(sql: "DELETE FROM source_pages WHERE source = ?", arguments: [source])
        try database.execute(
            sql: """
                DELETE FROM sources WHERE id = ?1
                    AND NOT EXISTS (SELECT 1 FROM source_keys WHERE source = ?1)
                """,
            arguments: [source]
        )
    }

    private static func insert(
        _ keys: [SourceWrite.Key],
        of source: Int64,
        firstJob: Int64?,
        _ database: Database
    ) throws {
        guard !keys.isEmpty, let firstJob else { return }
        let statement = try BoundStatement(
            "INSERT OR REPLACE INTO source_keys (source, high, low, job) VALUES (?, ?, ?, ?)",
            database
        )
        // Neighbouring rows share pages.
        for key in keys.sorted(by: { ($0.hash.high, $0.hash.low) < ($1.hash.high, $1.hash.low) }) {
            try statement.bind(source, at: 1)
            try statement.bind(Int64(bitPattern: key.hash.high), at: 2)
            try statement.bind(Int64(bitPattern: key.hash.low), at: 3)
            try statement.bind(firstJob == 0 ? 0 : firstJob + Int64(key.item), at: 4)
            try statement.run()
        }
    }

    /// Notes what is known of pictures now.
    private static func note(
        _ checks: [SourceWrite.Check],
        of source: Int64,
        _ database: Database
    ) throws {
        guard !checks.isEmpty else { return }
        let statement = try BoundStatement(
            """
            UPDATE source_keys SET checked_at = ?, entity_tag = ?, last_modified = ?, length = ?
            WHERE source = ? AND high = ? AND low = ? AND job = ?
            """,
            database
        )
        for check in checks {
            try statement.bind((check.version.seenAt?.microseconds).databaseValue, at: 1)
            try statement.bind(check.version.entityTag.databaseValue, at: 2)
            try statement.bind(check.version.lastModified.databaseValue, at: 3)
            try statement.bind(check.version.length.databaseValue, at: 4)
            try statement.bind(source, at: 5)
            try statement.bind(Int64(bitPattern: check.hash.high), at: 6)
            try statement.bind(Int64(bitPattern: check.hash.low), at: 7)
            try statement.bind(check.job.rawValue, at: 8)
            try statement.run()
        }
    }

    /// The number of keys forgotten at once: the engine must not wait for millions.
    private static let forgottenAtOnce = 20_000

    private static func forget(
        _ what: SourceWrite.Forgetting,
        of source: Int64,
        _ database: Database
    ) throws {
        guard what != .nothing else { return }
        try database.execute(sql: "DELETE FROM source_slices WHERE source = ?", arguments: [source])
        guard what == .keys else { return }
        try database.execute(
            sql: """
                DELETE FROM source_keys WHERE source = ?1 AND (high, low) IN (
                    SELECT high, low FROM source_keys WHERE source = ?1 LIMIT ?2)
                """,
            arguments: [source, forgottenAtOnce]
        )
        guard database.changesCount == 0 else { return }
        // Only rows that no comparison finds are left, which only damage can write; the caller would go on
        // for ever.
        try database.execute(sql: "DELETE FROM source_keys WHERE source = ?", arguments: [source])
    }
}
