import GRDB
import JobModel
import Vocabulary

/// The URLs that jobs have already.
extension JobStore {
    /// The number of URLs that are looked at without a pause, for which searches wait.
    private static let knownSlice: Int64 = 10_000

    /// Returns the places of those of some URLs, all different, that a job has which has neither failed nor been
    /// cancelled.
    ///
    /// The index for searches is read from end to end: a fraction of a second for a million jobs. An index of URLs
    /// would cost every job that is added more than that one does.
    public func known(_ urls: [JobURL]) async throws -> Set<Int> {
        var wanted = WantedURLs(urls)
        let newest = try await database.read { try Int64.fetchOne($0, sql: "SELECT max(id) FROM jobs") ?? 0 }
        var last: Int64 = 0
        while last < newest, !wanted.isEmpty {
            let (rows, end) = try await searchReader.read { [last, hashes = wanted.hashes] database in
                try Self.rows(withURLs: hashes, after: last, database)
            }
            guard let end else { break }
            for row in rows { wanted.find(row) }
            last = end
        }
        return wanted.found
    }

    /// Returns those of the next jobs that may have one of the URLs, and the last of those that were looked at.
    private static func rows(
        withURLs hashes: Set<Int>,
        after last: Int64,
        _ database: Database
    ) throws -> (rows: [WantedURLs.Row], end: Int64?) {
        let urls = try BoundStatement(TextIndex.urls, database)
        try urls.bind(last, at: 1)
        try urls.bind(knownSlice, at: 2)
        var jobs: [Int64] = []
        var end: Int64?
        try urls.forEachRow { row in
            let id = row.integer(0)
            if hashes.contains(row.withUTF8(1) { WantedURLs.hash(UnsafeRawBufferPointer($0)) }) {
                jobs.append(id)
            }
            end = id
        }
        let job = try BoundStatement(
            "SELECT url, state IN ('failed', 'cancelled') OR NOT (\(visible)) FROM jobs WHERE id = ?",
            database
        )
        var rows: [WantedURLs.Row] = []
        for id in jobs {
            try job.bind(id, at: 1)
            try job.forEachRow { row in
                rows.append(WantedURLs.Row(url: row.text(0) ?? "", isOver: row.integer(1) != 0))
            }
        }
        return (rows, end)
    }
}

/// The URLs that are looked for, and those that were found.
private struct WantedURLs: Sendable {
    /// The part of a job that is looked at.
    struct Row: Sendable {
        var url: String
        /// True if the job doesn't count: it has failed, was cancelled, or nobody may see it yet.
        var isOver: Bool
    }

    private var places: [String: Int] = [:]
    /// The places of those that were found.
    private(set) var found: Set<Int> = []
    /// The hashes of the URLs as people see them, as which they are in the index.
    let hashes: Set<Int>

    init(_ urls: [JobURL]) {
        var hashes: Set<Int> = []
        for (place, url) in urls.enumerated() {
            places[url.text] = place
            var masked = url.masked
            hashes.insert(masked.withUTF8 { Self.hash(UnsafeRawBufferPointer($0)) })
        }
        self.hashes = hashes
    }

    /// Returns the hash of a URL's bytes: of the index's million URLs, no string is made.
    static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: bytes)
        return hasher.finalize()
    }

    /// True if none is left to look for.
    var isEmpty: Bool { places.isEmpty }

    mutating func find(_ row: Row) {
        guard !row.isOver, let place = places.removeValue(forKey: row.url) else { return }
        found.insert(place)
    }
}
