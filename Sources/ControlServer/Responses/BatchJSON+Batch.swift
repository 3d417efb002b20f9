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
            states: batch.jobsByState.everyState,
            jobs: jobs?.map(\.rawValue)
        )
    }
}

extension [JobState: Int] {
    /// Counts in the words of the API, states without jobs included.
    var everyState: JobCountsJSON {
        JobCountsJSON(
            uniqueKeysWithValues: JobState.allCases.map { (.known(JobJSON.State($0)), self[$0] ?? 0) }
        )
    }
}
