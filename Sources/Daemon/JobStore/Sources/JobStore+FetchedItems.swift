import GRDB
import JobModel
import Vocabulary

/// Reads for who asks whether pictures have changed.
extension JobStore {
    /// The items of a source in the order of their hashes, from after one on; nil begins with the first.
    public func fetchedItems(
        of source: Int64,
        after: ItemHash?,
        limit: Int
    ) async throws -> [FetchedItem] {
        // As SQLite orders them, in which the first bit is a sign.
        let high = after.map { Int64(bitPattern: $0.high) } ?? .min
        let low = after.map { Int64(bitPattern: $0.low) } ?? .min
        return try await items(of: source, "(high, low) > (?, ?)", high, low, limit: limit)
    }

    /// The item of a source with a hash; nil if the source doesn't know it.
    public func fetchedItem(_ hash: ItemHash, of source: Int64) async throws -> FetchedItem? {
        let (high, low) = (Int64(bitPattern: hash.high), Int64(bitPattern: hash.low))
        return try await items(of: source, "(high, low) = (?, ?)", high, low, limit: 1).first
    }

    private func items(
        of source: Int64,
        _ condition: String,
        _ high: Int64,
        _ low: Int64,
        limit: Int
    ) async throws -> [FetchedItem] {
        try await database.read { database in
            let statement = try BoundStatement(
                """
                SELECT key.high, key.low, key.job, jobs.url, jobs.state, jobs.path, jobs.is_evictable,
                    jobs.expected_sha256,
                    -- While it is still to be looked at, it is at least not older than its batch.
                    coalesce(jobs.finished_clock,
                        (SELECT created_clock FROM batches WHERE batches.id = jobs.batch)),
                    jobs.entity_tag, jobs.last_modified, jobs.bytes,
                    key.checked_at, key.entity_tag, key.last_modified, key.length
                FROM source_keys AS key LEFT JOIN jobs ON jobs.id = key.job
                WHERE key.source = ? AND \(condition) ORDER BY high, low LIMIT ?
                """,
                database
            )
            try statement.bind(source, at: 1)
            try statement.bind(high, at: 2)
            try statement.bind(low, at: 3)
            try statement.bind(Int64(limit), at: 4)
            var items: [FetchedItem] = []
            try statement.forEachRow { items.append(Self.fetchedItem($0)) }
            return items
        }
    }

    private static func fetchedItem(_ row: StoredRow) -> FetchedItem {
        let hash = ItemHash(
            high: UInt64(bitPattern: row.integer(0)),
            low: UInt64(bitPattern: row.integer(1))
        )
        var item = FetchedItem(hash: hash, job: JobID(rawValue: row.integer(2)))
        item.url = row.text(3)
        item.isFetched = ["stored", "detecting", "done"].contains(row.text(4))
        item.path = row.text(5).flatMap { $0.isEmpty ? nil : $0 }
        item.isEvictable = row.integer(6) != 0
        item.isFixed = row.text(7) != nil
        let (fetchedAt, checkedAt) = (row.integerIfAny(8), row.integerIfAny(12))
        // A document that was fetched again since is another version.
        let isKnownBetter = checkedAt.map { $0 >= fetchedAt ?? .min } ?? false
        let first = isKnownBetter ? 13 : 9
        item.version = PictureVersion(
            entityTag: row.text(first),
            lastModified: row.text(first + 1),
            length: row.integerIfAny(first + 2),
            seenAt: (isKnownBetter ? checkedAt : fetchedAt).map { SteadyTime(microseconds: $0) }
        )
        return item
    }
}

extension StoredRow {
    /// Returns an integer, nil for NULL.
    fileprivate func integerIfAny(_ place: Int) -> Int64? { isNull(place) ? nil : integer(place) }
}
