import GRDB
import JobCore
import Synchronization

/// Writes changed jobs: of each, where its row is still known, only the columns that changed.
///
/// A job changes four times or five on its way, and a few of its forty columns each time.
/// Writing all of them would also check every constraint and rewrite every index again.
/// Used by the one writer; what it knows holds as long as each transaction is committed.
final class JobWriter: Sendable {
    private struct State {
        /// Rows as they were last written, in the order of the columns.
        var rows: [JobID: [DatabaseValue]] = [:]
        /// Statements by the columns that they set, a bit each.
        var statements: [UInt64: String] = [:]
    }

    private let state = Mutex(State())
    /// Rows that are remembered; those of the jobs under way are among them.
    private static let limit = 1024

    /// Adds a job's row.
    func insert(_ job: Job, _ database: Database) throws {
        let row = JobRecord(job).row
        try Self.execute(JobRecord.insertion, row, database)
        state.withLock { if $0.rows.count < Self.limit { $0.rows[job.id] = row } }
    }

    /// Brings a job's row up to date.
    func update(_ job: Job, _ database: Database) throws {
        let row = JobRecord(job).row
        let (statement, values) = state.withLock { state in
            let known = state.rows[job.id]
            if known == nil, state.rows.count >= Self.limit { state.rows = [:] }
            state.rows[job.id] = row
            return Self.change(from: known, to: row, &state.statements)
        }
        guard !values.isEmpty else { return }
        try Self.execute(statement, values + [job.id.rawValue.databaseValue], database)
    }

    /// Forgets all rows: a transaction was not committed.
    func forget() { state.withLock { $0.rows = [:] } }

    /// The statement that makes one row of another, and its values without the id at its end.
    private static func change(
        from old: [DatabaseValue]?,
        to new: [DatabaseValue],
        _ statements: inout [UInt64: String]
    ) -> (statement: String, values: [DatabaseValue]) {
        var columns: UInt64 = 0
        var values: [DatabaseValue] = []
        // The first column is the id.
        for index in 1..<new.count where old == nil || old?[index] != new[index] {
            let bit: UInt64 = 1 << UInt64(index)
            columns |= bit
            values.append(new[index])
        }
        if let statement = statements[columns] { return (statement, values) }
        var settings: [String] = []
        for index in 1..<new.count {
            let bit: UInt64 = 1 << UInt64(index)
            if columns & bit != 0 { settings.append("\(JobRecord.columns[index]) = ?") }
        }
        let statement = "UPDATE jobs SET \(settings.joined(separator: ", ")) WHERE id = ?"
        statements[columns] = statement
        return (statement, values)
    }

    private static func execute(_ sql: String, _ values: [DatabaseValue], _ database: Database) throws {
        let statement = try database.cachedStatement(sql: sql)
        // As many as there are marks, by the way they are made: checking takes longer than binding.
        statement.setUncheckedArguments(StatementArguments(values))
        try statement.execute()
    }
}
