import ControlAPI
import JobModel
import Vocabulary

extension BatchJSON {
    /// Creates the JSON of a batch with its counts.
    init(_ batch: Batch, jobs: [JobID]? = nil, now: Moment) {
        self.init(
            id: batch.id.rawValue,
            createdAt: batch.createdAt.wall.rfc3339,
            elapsed: now.elapsed(since: batch.createdAt),
            submittedBy: batch.submittedBy,
            jobCount: batch.jobCount,
            states: batch.jobsByState.everyState,
            jobs: jobs?.map(\.rawValue),
            lease: batch.lease,
            known: batch.known
        )
    }
}

extension [JobState: Int] {
    /// The counts by the API's states, including states without jobs.
    var everyState: JobCountsJSON {
        JobCountsJSON(uniqueKeysWithValues: JobState.allCases.map { (.known($0), self[$0] ?? 0) })
    }
}
