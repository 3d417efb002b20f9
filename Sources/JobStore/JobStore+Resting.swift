import GRDB
import JobCore

/// Idle jobs, of which very many are steered at once: only a few columns of each are read.
extension JobStore {
    /// Returns the resting jobs (``RestingJob``) in these states among some jobs, which must ascend, in ascending
    /// order.
    ///
    /// `withoutPartials` leaves out jobs that may have a partial.
    ///
    /// - Throws: ``StoreFailure``
    public func restingJobs(
        _ ids: [JobID],
        in states: [JobState],
        withoutPartials: Bool
    ) throws(StoreFailure) -> [RestingJob] {
        guard let first = ids.first?.rawValue, let last = ids.last?.rawValue else { return [] }
        // Jobs that lie far apart are cheaper to read one by one, which is left to the caller.
        guard last - first < 4 * Int64(ids.count) else { return [] }
        do {
            return try engineReader.read { database in
                let reader = try RestingReader(database, states, withoutPartials: withoutPartials)
                return try reader.jobs(ids, first...last)
            }
        } catch {
            throw StoreFailure(error)
        }
    }
}

private struct RestingReader {
    private let rows: BoundStatement
    private let batches: BoundStatement

    init(_ database: Database, _ states: [JobState], withoutPartials: Bool) throws {
        let names = states.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        rows = try BoundStatement(
            """
            SELECT id, batch, state, name, host, priority, source, weight, path, sha256, detection_deferred
            FROM jobs WHERE id BETWEEN ? AND ? AND state IN (\(names)) AND waiting_until IS NULL
                AND error_code IS NULL AND reserved_name IS NULL AND finished_at IS NULL AND fruitless_tries = 0
                AND struggled = 0 AND is_held = 0 AND is_evictable = 0 AND evicted_at IS NULL
                AND detection_attempts = 0 AND detection_demand IS NULL
                AND CASE WHEN path IS NULL THEN state <> 'stored' \(withoutPartials ? "AND \(Self.noPartial)" : "")
                    ELSE path <> '' AND sha256 <> '' AND state <> 'queued' END
            ORDER BY id
            """,
            database
        )
        batches = try BoundStatement("SELECT created_at, created_clock FROM batches WHERE id = ?", database)
    }

    private static let noPartial = """
        attempts = 0 AND bytes = 0 AND durable_bytes = 0 AND logged_bytes = 0 AND total_bytes IS NULL
        AND segments IS NULL AND entity_tag IS NULL AND last_modified IS NULL AND partial_boot IS NULL
        AND length_unproven = 0 AND has_finished = 0
        """

    func jobs(_ ids: [JobID], _ range: ClosedRange<Int64>) throws -> [RestingJob] {
        try rows.bind(range.lowerBound, at: 1)
        try rows.bind(range.upperBound, at: 2)
        var jobs: [RestingJob] = []
        jobs.reserveCapacity(ids.count)
        var place = ids.startIndex
        var batch: (id: Int64, createdAt: Moment)?
        try rows.forEachRow { row in
            let id = row.integer(0)
            while place < ids.endIndex, ids[place].rawValue < id { place += 1 }
            guard place < ids.endIndex, ids[place].rawValue == id else { return }
            let number = row.integer(1)
            if batch?.id != number { batch = (number, try createdAt(number)) }
            guard let createdAt = batch?.createdAt, let state = JobState(rawValue: row.text(2) ?? ""),
                let name = row.text(3), JobRecord.isComponent(name)
            else { return }
            var job = RestingJob(
                id: JobID(rawValue: id),
                batch: BatchID(rawValue: number),
                createdAt: createdAt,
                state: state,
                name: name,
                host: row.text(4) ?? "",
                priority: Int(min(max(row.integer(5), -100), 100)),
                flow: JobOptions(source: row.text(6)).flow(in: BatchID(rawValue: number)),
                weight: JobColumn.weight(stored: row.integer(7))
            )
            if !row.isNull(8) {
                job.hasDocument = true
                job.mark = row.withUTF8(9) { DetectionGate.mark(ofSHA256: $0) }
                job.isDeferred = row.integer(10) != 0
            }
            jobs.append(job)
        }
        return jobs
    }

    private func createdAt(_ batch: Int64) throws -> Moment {
        try batches.bind(batch, at: 1)
        var time: Moment?
        try batches.forEachRow { time = $0.moment(0, 1) }
        return time ?? Moment(microseconds: 0)
    }
}
