import GRDB
import JobCore
import JobModel
import Vocabulary

/// Queries for documents that look alike.
extension JobStore {
    /// Returns the documents that are there and whose jobs match a filter, to be compared with each other.
    ///
    /// It reads a row of every job that may match, so it shares the reader that searches use.
    public func likenessDocuments(
        _ filter: JobFilter,
        endedAfter: Int64?
    ) async throws -> LikenessDocuments {
        try await searchReader.read { database in
            var documents = LikenessDocuments()
            guard let ids = try Self.ids(of: filter.batch, database) else { return documents }
            var conditions = try Self.conditions(filter, in: ids, database)
            conditions.add("path <> ''")
            if let endedAfter { conditions.add("+ended_done > ?", endedAfter) }
            let statement = try BoundStatement(
                "SELECT id, detection_fingerprint, sha256 FROM jobs WHERE \(conditions.sql) ORDER BY id",
                database
            )
            _ = try conditions.bind(to: statement)
            try statement.forEachRow { row in
                let fingerprint = Fingerprint(bits: UInt64(bitPattern: row.integer(1)))
                let content = row.withUTF8(2) { ContentSum(sha256: UnsafeRawBufferPointer($0)) }
                guard fingerprint != nil || content != .unknown else { return }
                documents.append(job: row.integer(0), fingerprint: fingerprint, content: content)
            }
            return documents
        }
    }

    /// Returns the documents that are there and like that of a job, the most alike first, and of those the oldest.
    ///
    /// Those with the same content have a distance of 0, whether they have a fingerprint or not.
    public func similar(to job: Job, distance: Int, limit: Int) async throws -> SimilarDocuments {
        try await database.read { database in
            var nearest = NearestJobs(limit: limit)
            var same: Set<Int64> = []
            if let sha256 = job.sha256, !sha256.isEmpty {
                let statement = try BoundStatement(
                    """
                    SELECT id FROM jobs WHERE sha256 = ? AND detection_outcome IS NOT NULL AND id <> ?
                    AND path <> '' AND \(Self.visible) ORDER BY id
                    """,
                    database
                )
                try statement.bind(sha256, at: 1)
                try statement.bind(job.id.rawValue, at: 2)
                try statement.forEachRow {
                    nearest.add($0.integer(0), distance: 0)
                    same.insert($0.integer(0))
                }
            }
            if let bits = job.detection?.picture?.fingerprint?.bits {
                try FingerprintBlocks.forEach(database) { other, value in
                    let bitCount = (bits ^ value).nonzeroBitCount
                    guard bitCount <= distance, other != job.id.rawValue else { return }
                    if bitCount == 0, same.contains(other) { return }
                    nearest.add(other, distance: bitCount)
                }
            }
            let found = nearest.found
            let jobs = try Self.jobs(found.map { $0.job }, database)
            let documents = found.compactMap { entry -> SimilarDocuments.Item? in
                // A row knows better than a block.
                guard let other = jobs[entry.job], other.path != nil else { return nil }
                return SimilarDocuments.Item(job: other, distance: entry.distance)
            }
            return SimilarDocuments(items: documents, total: nearest.count)
        }
    }

    /// Returns some jobs, as far as they are there, by their ids.
    private static func jobs(_ ids: [Int64], _ database: Database) throws -> [Int64: Job] {
        let statement = try BoundStatement(
            JobRecord.selection + " WHERE jobs.id = ? AND batches.is_visible IS NOT 0",
            database
        )
        var jobs: [Int64: Job] = [:]
        for id in ids {
            try statement.bind(id, at: 1)
            try statement.forEachRow { jobs[id] = JobRecord.job($0) }
        }
        return jobs
    }
}

/// The jobs that are nearest to something, at most so many.
private struct NearestJobs {
    private let limit: Int
    /// The first jobs at each distance.
    private var jobs: [[Int64]]
    /// The number of all that were added.
    private(set) var count = 0

    init(limit: Int) {
        self.limit = limit
        jobs = Array(repeating: [], count: Fingerprint.distances.upperBound + 1)
    }

    mutating func add(_ job: Int64, distance: Int) {
        guard jobs.indices.contains(distance) else { return }
        count += 1
        if jobs[distance].count < limit { jobs[distance].append(job) }
    }

    /// The nearest, and at the same distance the oldest first.
    var found: [(job: Int64, distance: Int)] {
        var found: [(job: Int64, distance: Int)] = []
        for (distance, jobs) in jobs.enumerated() {
            found += jobs.sorted().prefix(limit - found.count).map { ($0, distance) }
        }
        return found
    }
}
