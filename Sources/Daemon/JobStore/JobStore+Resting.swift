import GRDB
import JobCore
import JobModel
import Vocabulary

/// Idle jobs, of which very many are steered at once: only a few columns of each are read.
extension JobStore {
    /// Returns the resting jobs (``RestingJob``) in these states among some jobs, which must ascend, in ascending
    /// order.
    ///
    /// `withoutPartials` leaves out jobs that may have a partial. `next` are the jobs that will be asked for next:
    /// they are read while the caller goes on.
    public func restingJobs(
        _ ids: [JobID],
        in states: [JobState],
        withoutPartials: Bool,
        next: ArraySlice<JobID>
    ) throws(StoreFailure) -> [RestingJob] {
        do {
            let jobs =
                try readAhead(ids, states, withoutPartials)
                ?? engineReader.read { try Self.restingJobs(ids[...], states, withoutPartials, $0) }
            readAhead(next, states, withoutPartials)
            return jobs
        } catch {
            throw StoreFailure(error)
        }
    }

    private static func restingJobs(
        _ ids: ArraySlice<JobID>,
        _ states: [JobState],
        _ withoutPartials: Bool,
        _ database: Database
    ) throws -> [RestingJob] {
        guard let first = ids.first?.rawValue, let last = ids.last?.rawValue else { return [] }
        // Jobs that lie far apart are cheaper to read one by one, which is left to the caller.
        guard last - first < 4 * Int64(ids.count) else { return [] }
        let reader = try RestingReader(database, states, withoutPartials: withoutPartials)
        return try reader.jobs(ids, first...last)
    }

    /// Begins to read what will be asked for next, beside the writer.
    private func readAhead(_ ids: ArraySlice<JobID>, _ states: [JobState], _ withoutPartials: Bool) {
        let ahead = ids.isEmpty ? nil : RestingAhead(ids, states, withoutPartials)
        restingAhead.withLock { $0 = ahead }
        guard ahead != nil else { return }
        engineReader.asyncRead { database in
            // An earlier read finishes first, so its result doesn't stay.
            let jobs = try? Self.restingJobs(ids, states, withoutPartials, database.get())
            self.restingAhead.withLock { $0?.found = jobs }
        }
    }

    /// Returns what has been read ahead, as it is now; nil if that was something else.
    private func readAhead(
        _ ids: [JobID],
        _ states: [JobState],
        _ withoutPartials: Bool
    ) throws -> [RestingJob]? {
        guard restingAhead.withLock({ $0?.covers(ids, states, withoutPartials) ?? false }) else { return nil }
        // This connection reads one thing after the other, so this waits for it.
        try engineReader.read { _ in }
        return restingAhead.withLock { $0.take()?.unchanged(among: ids) }
    }
}

/// Resting jobs that are read before they are asked for.
struct RestingAhead: Sendable {
    private let range: ClosedRange<JobID>?
    private let states: [JobState]
    private let withoutPartials: Bool
    /// The jobs that may have been written since the reading began.
    private var changed: Set<JobID> = []
    /// The rows found; nil until they have been read, or if that failed.
    var found: [RestingJob]?

    /// Describes what is read.
    init(_ ids: ArraySlice<JobID>, _ states: [JobState], _ withoutPartials: Bool) {
        range = ids.first.flatMap { first in ids.last.map { first...$0 } }
        self.states = states
        self.withoutPartials = withoutPartials
    }

    /// Returns whether these jobs were to be read.
    func covers(_ ids: [JobID], _ states: [JobState], _ withoutPartials: Bool) -> Bool {
        guard let first = ids.first, let last = ids.last, let range else { return false }
        return states == self.states && withoutPartials == self.withoutPartials && range.contains(first)
            && range.contains(last)
    }

    /// Notes changes that are about to be written.
    mutating func note(_ changes: StoreChanges) {
        guard let range else { return }
        for job in changes.changedJobs where range.contains(job.id) { changed.insert(job.id) }
        for job in changes.forgottenJobs where range.contains(job) { changed.insert(job) }
        for change in changes.restingChanges where change.jobs.overlaps(range) {
            let jobs = change.jobs.clamped(to: range)
            for number in jobs.lowerBound.rawValue...jobs.upperBound.rawValue {
                changed.insert(JobID(rawValue: number))
            }
        }
    }

    /// Returns those of these jobs that were found and haven't been written since; nil if the reading failed.
    func unchanged(among ids: [JobID]) -> [RestingJob]? {
        guard let found else { return nil }
        var place = ids.startIndex
        return found.filter { job in
            while place < ids.endIndex, ids[place] < job.id { place += 1 }
            return place < ids.endIndex && ids[place] == job.id && !changed.contains(job.id)
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
                AND detection_attempts = 0 AND detection_demand IS NULL AND detection_outcome IS NULL
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

    func jobs(_ ids: ArraySlice<JobID>, _ range: ClosedRange<Int64>) throws -> [RestingJob] {
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
