import GRDB
import JobCore
import Vocabulary

/// Lists of the numbers of jobs.
extension JobStore {
    /// Returns the ids of all jobs in any of these states, in ascending order.
    ///
    /// - Throws: ``StoreFailure``
    public func jobIDs(in states: [JobState]) throws(StoreFailure) -> [JobID] {
        try jobIDs("state IN (\(databaseQuestionMarks(count: states.count)))", states.map(\.rawValue))
    }

    /// Returns the jobs among these whose partials may still be of use.
    ///
    /// A queued or paused job without a recorded attempt starts over, whatever a crash has left of it. Nobody knows
    /// what jobs in unknown states need, so they are among the result.
    ///
    /// - Throws: ``StoreFailure``
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
    ///
    /// - Throws: ``StoreFailure``
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
}
