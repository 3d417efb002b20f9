import GRDB
import JobModel
import Vocabulary

/// Lists of the numbers of jobs.
extension JobStore {
    /// Returns the ids of all jobs in any of these states, in ascending order.
    public func jobIDs(in states: [JobState]) throws(StoreFailure) -> [JobID] {
        try jobIDs("state IN (\(databaseQuestionMarks(count: states.count)))", states.map(\.rawValue))
    }

    /// Returns those of these jobs that are in any of these states, in ascending order.
    public func jobIDs(among jobs: [JobID], in states: [JobState]) throws(StoreFailure) -> [JobID] {
        let list = "[\(jobs.map { "\($0.rawValue)" }.joined(separator: ","))]"
        return try jobIDs(
            """
            id IN (SELECT value FROM json_each(?))
                AND +state IN (\(databaseQuestionMarks(count: states.count)))
            """,
            [list] + states.map(\.rawValue)
        )
    }

    /// Returns the jobs among these whose partials may still be of use.
    ///
    /// A queued or paused job without a recorded attempt starts over, whatever a crash has left of it. Nobody knows
    /// what jobs in unknown states need, so they are among the result.
    public func jobsNeedingPartials(among jobs: [JobID]) throws(StoreFailure) -> [JobID] {
        let list = "[\(jobs.map { "\($0.rawValue)" }.joined(separator: ","))]"
        return try jobIDs(
            """
            id IN (SELECT value FROM json_each(?))
                AND +state NOT IN ('stored', 'detecting', 'done', 'cancelled')
                AND NOT (+state IN ('queued', 'paused') AND attempts = 0 AND bytes = 0)
            """,
            [list]
        )
    }

    private func jobIDs(_ condition: String, _ values: [String]) throws(StoreFailure) -> [JobID] {
        do {
            return try engineReader.read { database in
                try Int64.fetchAll(
                    database,
                    sql: "SELECT id FROM jobs WHERE \(condition) ORDER BY id",
                    arguments: StatementArguments(values)
                ).map { JobID(rawValue: $0) }
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// The query for the jobs of a batch that haven't ended, given the range of its ids and its own.
    ///
    /// The index of states has the ids as well: of a batch whose jobs have almost all ended, few rows are
    /// read.
    static let unfinishedJobsOfBatch = """
        SELECT id FROM jobs INDEXED BY jobs_by_state
        WHERE state IN (\(JobState.allCases.filter { !$0.isFinal }.map { "'\($0.rawValue)'" }.joined(separator: ", ")))
            AND id BETWEEN ? AND ? AND batch = ? ORDER BY id
        """

    /// Returns the ids of a batch's jobs that haven't ended, in ascending order.
    public func jobIDs(unfinishedOf batch: BatchID) throws(StoreFailure) -> [JobID] {
        do {
            return try engineReader.read { database in
                guard let ids = try Self.ids(of: batch, database) else { return [] }
                return try Int64.fetchAll(
                    database,
                    sql: Self.unfinishedJobsOfBatch,
                    arguments: [ids.lowerBound, ids.upperBound, batch.rawValue]
                ).map { JobID(rawValue: $0) }
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Returns the jobs in some states that a filter lets through, and how many match it in whatever state.
    ///
    /// It reads with a client's reader, and no more of a row than its state.
    public func matches(_ filter: JobFilter, in states: [JobState]) async throws -> JobMatches {
        try await searchReader.read { database in
            guard let ids = try Self.ids(of: filter.batch, database) else { return JobMatches() }
            let conditions = try Self.conditions(filter, in: ids, database)
            let names = states.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            let statement = try BoundStatement(
                "SELECT id, state IN (\(names)) FROM jobs WHERE \(conditions.sql) ORDER BY id",
                database
            )
            _ = try conditions.bind(to: statement)
            var matches = JobMatches()
            try statement.forEachRow { row in
                matches.count += 1
                if row.integer(1) != 0 { matches.jobs.append(JobID(rawValue: row.integer(0))) }
            }
            return matches
        }
    }
}
