import GRDB
import JobCore

/// Rows that no facefetch wrote: each costs its own job, and no other.
extension JobStore {
    /// A condition that is true of rows in states that don't exist.
    static let isInUnknownState = "(state IS NULL OR state NOT IN (\(allStates)))"

    private static let allStates = JobState.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// Writes jobs as they were read, where that is not what their rows have.
    static func write(broken jobs: [Job], _ database: Database) throws {
        guard !jobs.isEmpty else { return }
        var writer = JobWriter(database, memory: JobWriter.Memory())
        for job in jobs { try writer.update(job) }
    }
}
