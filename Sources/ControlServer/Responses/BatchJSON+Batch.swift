import ControlAPI
import JobCore

extension BatchJSON {
    /// A batch with its counts.
    init(_ batch: Batch, jobs: [JobID]? = nil, now: Moment) {
        self.init(
            id: batch.id.rawValue,
            createdAt: batch.createdAt.wall.rfc3339,
            elapsed: now.elapsed(since: batch.createdAt),
            submittedBy: batch.submittedBy,
            jobCount: batch.jobCount,
            states: batch.jobsByState.everyStateByName,
            jobs: jobs?.map(\.rawValue)
        )
    }
}

extension [JobState: Int] {
    /// Counts by the states' names, those without jobs included.
    var everyStateByName: [String: Int] {
        [String: Int](uniqueKeysWithValues: JobState.allCases.map { ($0.rawValue, self[$0] ?? 0) })
    }
}
