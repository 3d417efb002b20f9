import GRDB
import JobModel
import Vocabulary

/// The URLs that jobs have already.
extension JobStore {
    /// The number of rows that are looked at without a pause, for which searches wait.
    private static let knownSlice = 10_000

    /// Returns the places of those of some URLs, all different, that a job has which has neither failed nor been
    /// cancelled.
    ///
    /// Where there are few jobs, all of them are looked at. Where there are many, the index for searches names those
    /// that may have one of the URLs: it is read from end to end, in a fraction of a second for a million jobs, and
    /// costs nothing where nobody asks. An index of URLs in the store would cost every job that is added.
    public func known(_ urls: [JobURL]) async throws -> Set<Int> {
        var wanted = WantedURLs(urls)
        let newest = try await database.read { try Int64.fetchOne($0, sql: "SELECT max(id) FROM jobs") ?? 0 }
        if newest > SearchIndex.fewest {
            await search.build()
            let hashes = wanted.hashes
            let candidates = try await searchReader.read { [search] database in
                try search.isReady(database) ? search.jobs(withURLs: hashes) : nil
            }
            if let candidates { return try await known(&wanted, among: candidates, through: newest) }
        }
        return try await known(&wanted, through: newest)
    }

    /// Looks at all jobs.
    private func known(_ wanted: inout WantedURLs, through newest: Int64) async throws -> Set<Int> {
        var last: Int64 = 0
        while last < newest, !wanted.isEmpty {
            let rows = try await searchReader.read { [last] database in
                try Self.rows("id > ? ORDER BY id LIMIT \(Self.knownSlice)", last, database)
            }
            guard let end = rows.last?.id else { break }
            for row in rows { wanted.find(row) }
            last = end
        }
        return wanted.found
    }

    /// Looks at those jobs that may have one of the URLs.
    private func known(
        _ wanted: inout WantedURLs,
        among candidates: JobBitmap,
        through newest: Int64
    ) async throws -> Set<Int> {
        var last: Int64 = 0
        while last < newest, !wanted.isEmpty {
            let next = candidates.first(Self.knownSlice, from: last + 1, through: newest, .oldest)
            guard let end = next.last else { break }
            let rows = try await searchReader.read { database in
                try next.flatMap { try Self.rows("id = ?", $0, database) }
            }
            for row in rows { wanted.find(row) }
            last = end
        }
        return wanted.found
    }

    private static func rows(
        _ condition: String,
        _ value: Int64,
        _ database: Database
    ) throws -> [WantedURLs.Row] {
        let statement = try BoundStatement(
            "SELECT id, url, state IN ('failed', 'cancelled') OR NOT (\(visible)) FROM jobs WHERE \(condition)",
            database
        )
        try statement.bind(value, at: 1)
        var rows: [WantedURLs.Row] = []
        try statement.forEachRow { row in
            rows.append(
                WantedURLs.Row(id: row.integer(0), url: row.text(1) ?? "", isOver: row.integer(2) != 0)
            )
        }
        return rows
    }
}

/// The URLs that are looked for, and those that were found.
private struct WantedURLs: Sendable {
    /// The part of a job that is looked at.
    struct Row: Sendable {
        var id: Int64
        var url: String
        /// True if the job doesn't count: it has failed, was cancelled, or nobody may see it yet.
        var isOver: Bool
    }

    private var places: [String: Int] = [:]
    /// The places of those that were found.
    private(set) var found: Set<Int> = []
    /// The hashes of the URLs as people see them, by which the index knows them.
    let hashes: Set<UInt64>

    init(_ urls: [JobURL]) {
        var hashes: Set<UInt64> = []
        for (place, url) in urls.enumerated() {
            places[url.text] = place
            hashes.insert(TextFile.hash(ofURL: url.masked))
        }
        self.hashes = hashes
    }

    /// True if none is left to look for.
    var isEmpty: Bool { places.isEmpty }

    mutating func find(_ row: Row) {
        guard !row.isOver, let place = places.removeValue(forKey: row.url) else { return }
        found.insert(place)
    }
}
