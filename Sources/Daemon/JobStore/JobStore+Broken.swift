import GRDB
import JobModel
import Vocabulary

/// Rows that no version of facefetch can have written, each of which costs its own job and no other.
extension JobStore {
    /// An SQL condition that holds for rows in unknown states.
    static let isInUnknownState = "(state IS NULL OR state NOT IN (\(allStates)))"

    private static let allStates = JobState.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// Writes jobs as they were read if their rows differ.
    static func write(broken jobs: [Job], _ database: Database) throws {
        guard !jobs.isEmpty else { return }
        var writer = JobWriter(database, memory: JobWriter.Memory())
        for job in jobs { try writer.update(job) }
    }
}
