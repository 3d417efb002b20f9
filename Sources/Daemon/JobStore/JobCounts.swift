import GRDB
import JobModel
import Vocabulary

/// The changes that one transaction makes to the number of jobs by batch and state.
///
/// The numbers are kept in `job_counts`, because counting a hundred thousand rows takes longer than a
/// page of them may. Its rows for batch 0 hold the sums over all visible batches.
struct JobCounts {
    private struct Key: Hashable {
        var batch: Int64
        var state: String
    }

    private static let allBatches: Int64 = 0
    private var changes: [Key: Int] = [:]

    /// Adds a number of jobs, which may be negative, to a state.
    mutating func add(_ number: Int, _ batch: BatchID, _ state: JobState) {
        add(number, batch, state.rawValue)
    }

    /// Adds a number of jobs, which may be negative, to a state.
    mutating func add(_ number: Int, _ batch: BatchID, _ state: String) {
        changes[Key(batch: batch.rawValue, state: state), default: 0] += number
    }

    /// Writes the changes.
    ///
    /// Batches that aren't visible yet are left out of the sums.
    func write(hidden: Set<BatchID>, _ database: Database) throws {
        let changes = changes.filter { $0.value != 0 }
        // If a job's batch is unknown, only the sums change.
        var sums = changes.filter { $0.key.batch > Self.allBatches }
        for (key, change) in changes where !hidden.contains(BatchID(rawValue: key.batch)) {
            sums[Key(batch: Self.allBatches, state: key.state), default: 0] += change
        }
        guard !sums.isEmpty else { return }
        let addition = try BoundStatement(
            """
            INSERT INTO job_counts VALUES (?, ?, ?)
            ON CONFLICT (batch, state) DO UPDATE SET number = number + excluded.number
            """,
            database
        )
        let subtraction = try BoundStatement(
            "UPDATE job_counts SET number = max(0, number + ?3) WHERE batch = ?1 AND state = ?2",
            database
        )
        for (key, change) in sums where change != 0 {
            let statement = change > 0 ? addition : subtraction
            try statement.bind(key.batch, at: 1)
            try statement.bind(key.state, at: 2)
            try statement.bind(Int64(change), at: 3)
            try statement.run()
        }
        let removal = try BoundStatement("DELETE FROM job_counts WHERE batch = ? AND number = 0", database)
        for batch in Set(sums.filter { $0.value < 0 }.map(\.key.batch)) {
            try removal.bind(batch, at: 1)
            try removal.run()
        }
    }

    /// Adds the jobs of a batch to the sums, because it becomes visible.
    static func reveal(_ batch: BatchID, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO job_counts SELECT ?, state, number FROM job_counts WHERE batch = ?
                ON CONFLICT (batch, state) DO UPDATE SET number = number + excluded.number
                """,
            arguments: [allBatches, batch.rawValue]
        )
    }

    /// Reads the number of jobs in each state, of one batch or of all.
    static func read(_ batch: BatchID?, _ database: Database) throws -> [JobState: Int] {
        let statement = try BoundStatement("SELECT state, number FROM job_counts WHERE batch = ?", database)
        try statement.bind(batch?.rawValue ?? allBatches, at: 1)
        var numbers: [JobState: Int] = [:]
        try statement.forEachRow { row in
            if let state = JobState(rawValue: row.text(0) ?? "") { numbers[state] = Int(row.integer(1)) }
        }
        return numbers
    }
}
