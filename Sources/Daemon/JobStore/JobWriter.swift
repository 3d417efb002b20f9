import GRDB
import JobModel
import Vocabulary

/// Writes the jobs of one transaction, for known rows only the columns that have changed.
///
/// A job changes three or four times in its life, each time in a few of its sixty columns. Writing all
/// of them would also check every constraint and rewrite every index again.
struct JobWriter {
    /// The writer's memory from one transaction to the next.
    struct Memory {
        /// The rows as last written or read.
        var rows = KnownRows()
        /// The jobs whose rows are as they were inserted.
        var accepted = AcceptedJobs()
        /// The statements, keyed by the columns that they set, a bit for each.
        var updates: [UInt128: String] = [:]
        /// The number of the last ending.
        var lastEnding: Int64 = 0
    }

    private(set) var memory: Memory
    /// The changes to the number of jobs by batch and state.
    private(set) var counts = JobCounts()
    /// The fingerprints of documents that have others now, or are gone; nil for none.
    private(set) var fingerprints: [Int64: Fingerprint?] = [:]
    private let database: Database

    private static let insertion =
        "INSERT INTO jobs (\(JobColumn.allCases.map(\.name).joined(separator: ", "))) VALUES ("
        + Array(repeating: "?", count: JobColumn.allCases.count).joined(separator: ", ") + ")"

    init(_ database: Database, memory: Memory) {
        self.database = database
        self.memory = memory
    }

    /// Inserts the rows of new jobs.
    mutating func insert(_ jobs: [Job]) throws {
        guard !jobs.isEmpty else { return }
        let statement = try BoundStatement(Self.insertion, database)
        var previous: Job?
        for job in jobs {
            // Bound values stay bound, and most jobs of a list are alike.
            let isAlike = previous?.isAlike(job) ?? false
            for column in isAlike ? JobColumn.ofEachJob : JobColumn.allCases {
                try statement.bind(column.value(of: job), at: column.rawValue + 1)
            }
            previous = job
            try statement.run()
            counts.add(1, job.batch, job.state)
            if let fingerprint = job.fingerprint, job.path != nil {
                fingerprints[job.id.rawValue] = fingerprint
            }
        }
        memory.accepted.add(jobs)
    }

    /// Writes the number of the last ending where that has grown.
    mutating func keep(lastEnding: Int64) throws {
        guard lastEnding > memory.lastEnding else { return }
        try StoredNumbers.keep(ending: lastEnding, database)
        memory.lastEnding = lastEnding
    }

    /// Drops what is remembered of rows that are removed.
    mutating func forget(_ jobs: [JobID]) {
        for job in jobs {
            memory.rows[job] = nil
            memory.accepted.remove(job)
            fingerprints[job.rawValue] = .some(nil)
        }
    }

    /// Drops what is remembered of jobs that were accepted, since a batch has been withdrawn.
    mutating func forgetAccepted() { memory.accepted = AcceptedJobs() }

    /// Writes the changes of resting jobs, a statement for each run of jobs.
    ///
    /// This comes before other updates, which may concern the same jobs and are newer.
    mutating func update(_ changes: [RestingChange]) throws {
        for change in changes {
            // The remembered values of their rows are out of date.
            let jobs = change.jobs.lowerBound.rawValue...change.jobs.upperBound.rawValue
            memory.accepted.drop(change.jobs)
            if !memory.rows.isEmpty { for job in jobs { memory.rows[JobID(rawValue: job)] = nil } }
            do {
                let count = try write(change)
                counts.add(-count, change.batch, change.before)
                counts.add(count, change.batch, change.after)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                // A row is damaged. It is rewritten whole, and so, one by one, are its neighbours.
                for number in jobs {
                    guard var job = try stored(JobID(rawValue: number)) else { continue }
                    // Changed before the damaged row was reached.
                    if job.state == change.after {
                        counts.add(-1, change.batch, change.before)
                        counts.add(1, change.batch, change.after)
                        continue
                    }
                    change.apply(to: &job)
                    try update(job)
                }
            }
        }
    }

    /// Writes a change and returns the number of rows changed; an error leaves those before the damaged row
    /// changed.
    ///
    /// That is what `OR FAIL` is for (SQLite, "ON CONFLICT"): only the damaged row and those after it are left.
    private func write(_ change: RestingChange) throws -> Int {
        let ending = "finished_at = ?4, finished_clock = ?5, ended_cancelled = ?6 + id - ?2, headers = NULL"
        let settings = "state = ?1" + (change.ending == nil ? "" : ", " + ending)
        let statement = try BoundStatement(
            "UPDATE OR FAIL jobs SET \(settings) WHERE id BETWEEN ?2 AND ?3",
            database
        )
        try statement.bind(change.after.rawValue, at: 1)
        try statement.bind(change.jobs.lowerBound.rawValue, at: 2)
        try statement.bind(change.jobs.upperBound.rawValue, at: 3)
        if let ending = change.ending {
            try statement.bind(ending.time.wall.microseconds, at: 4)
            try statement.bind(ending.time.steady.microseconds, at: 5)
            try statement.bind(ending.first, at: 6)
        }
        try statement.run()
        return database.changesCount
    }

    private func stored(_ job: JobID) throws -> Job? {
        let statement = try BoundStatement(JobRecord.selection + " WHERE jobs.id = ?", database)
        try statement.bind(job.rawValue, at: 1)
        return try statement.first { JobRecord.job($0) }
    }

    /// Updates a job's row.
    mutating func update(_ job: Job) throws {
        let accepted = memory.accepted.remove(job.id)
        let known = memory.rows[job.id] ?? accepted.map(KnownRows.Row.written)
        memory.rows[job.id] = .written(job)
        let (columns, values) = Self.changes(in: job, since: known)
        guard columns != 0 else { return }
        if columns & Self.likenessColumns != 0, known?.hasFingerprint != false || job.fingerprint != nil {
            fingerprints[job.id.rawValue] = .some(job.path == nil ? nil : job.fingerprint)
        }
        if columns & Self.bit(.state) != 0 {
            if let before = try known.map(\.state) ?? storedState(job.id) {
                counts.add(-1, job.batch, before)
                counts.add(1, job.batch, job.state)
            }
        }
        do {
            try write(values, columns, job.id)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            try rewrite(job)
        }
    }

    /// Returns the columns in which a row differs from a job, a bit for each, and their new values; all if
    /// nothing is known of the row.
    private static func changes(
        in job: Job,
        since known: KnownRows.Row?
    ) -> (columns: UInt128, values: [DatabaseValue]) {
        var columns: UInt128 = 0
        var values: [DatabaseValue] = []
        values.reserveCapacity(JobColumn.allCases.count)
        func compare(except same: UInt128, with before: (JobColumn) -> DatabaseValue?) {
            for column in JobColumn.allCases where same & bit(column) == 0 {
                let value = column.value(of: job)
                guard before(column) != value else { continue }
                columns |= bit(column)
                values.append(value)
            }
        }
        let id = bit(.id)
        switch known {
        case .written(let before):
            // Two parts that have many columns and seldom change.
            let same =
                id | (job.options == before.options ? optionColumns : 0)
                | (job.detection == before.detection ? detectionColumns : 0)
                | (job.response == before.response ? bit(.response) : 0)
            compare(except: same) { $0.value(of: before) }
        case .read(let values): compare(except: id) { values[$0.rawValue] }
        case nil: compare(except: id) { _ in nil }
        }
        return (columns, values)
    }

    /// Rewrites a whole row after SQLite has refused a change because of a damaged value that the change
    /// didn't touch.
    ///
    /// SQLite refuses to update a row in which any value has the wrong type (STRICT), or whose batch
    /// doesn't exist. If a job's batch is unknown, the batch of the jobs around it is taken.
    private mutating func rewrite(_ job: Job) throws {
        var row = JobColumn.allCases.map { $0.value(of: job) }
        let batch = try Int64.fetchOne(
            database,
            sql: """
                SELECT id FROM batches
                ORDER BY id = ? DESC, ? BETWEEN first_job AND last_job DESC, id DESC LIMIT 1
                """,
            arguments: [job.batch.rawValue, job.id.rawValue]
        )
        if let batch { row[JobColumn.batch.rawValue] = batch.databaseValue }
        memory.rows[job.id] = nil
        let settings = JobColumn.allCases.dropFirst().map { "\($0.name) = ?" }
        let statement = try BoundStatement(
            "UPDATE jobs SET \(settings.joined(separator: ", ")) WHERE id = ?",
            database
        )
        for (index, value) in row.enumerated().dropFirst() { try statement.bind(value, at: index) }
        try statement.bind(job.id.rawValue, at: row.count)
        try statement.run()
    }

    private mutating func write(_ values: [DatabaseValue], _ columns: UInt128, _ job: JobID) throws {
        let statement = try BoundStatement(update(of: columns), database)
        for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
        try statement.bind(job.rawValue, at: values.count + 1)
        try statement.run()
    }

    private mutating func update(of columns: UInt128) -> String {
        if let statement = memory.updates[columns] { return statement }
        let settings = JobColumn.allCases
            .filter { columns & Self.bit($0) != 0 }
            .map { "\($0.name) = ?" }
        let statement = "UPDATE jobs SET \(settings.joined(separator: ", ")) WHERE id = ?"
        memory.updates[columns] = statement
        return statement
    }

    private func storedState(_ job: JobID) throws -> String? {
        let statement = try BoundStatement("SELECT state FROM jobs WHERE id = ?", database)
        try statement.bind(job.rawValue, at: 1)
        var state: String?
        try statement.forEachRow { state = $0.text(0) }
        return state
    }

    /// The columns by which the document that a fingerprint is of may be gone, or is another.
    private static let likenessColumns = bit(.path) | bit(.detectionFingerprint)
    private static let optionColumns = bits(JobColumn.ofOptions)
    private static let detectionColumns = bits(JobColumn.ofDetection)

    private static func bits(_ columns: [JobColumn]) -> UInt128 { columns.reduce(0) { $0 | bit($1) } }

    private static func bit(_ column: JobColumn) -> UInt128 { 1 << UInt128(column.rawValue) }
}
