import GRDB
import JobCore

/// Rows that no facefetch wrote: each costs its own job, and no other.
extension JobStore {
    /// The states that rows have and that don't exist.
    static func unknownStates(_ database: Database) throws -> [String] {
        // From one state to the next in the index, instead of through all its rows.
        let states = try String.fetchAll(
            database,
            sql: """
                WITH RECURSIVE found(state) AS (
                    SELECT min(state) FROM jobs
                    UNION ALL
                    SELECT (SELECT min(state) FROM jobs WHERE state > found.state)
                    FROM found WHERE found.state IS NOT NULL
                )
                SELECT state FROM found WHERE state IS NOT NULL
                """
        )
        return states.filter { JobState(rawValue: $0) == nil }
    }

    /// Writes jobs as they were read, where that is not what their rows have, and counts anew.
    static func write(broken jobs: [Job], _ database: Database) throws {
        guard !jobs.isEmpty else { return }
        var writer = JobWriter(database, memory: JobWriter.Memory())
        for job in jobs { try writer.update(job) }
        // Where the rows were counted before, nobody knows.
        try JobCounts.recount(Set(jobs.map(\.batch)), database)
    }
}
