import JobModel
import Vocabulary

extension JobControl {
    /// Forgets jobs that ended before a time, all or so many; their documents stay.
    ///
    /// It is cancelled between slices.
    ///
    /// - Throws: ``ControlError``, `CancellationError`, or the store's errors.
    public func forget(
        endedBefore moment: Timestamp,
        of queries: any JobQueries,
        atMost limit: Int = .max
    ) async throws -> ForgottenJobs {
        var answer = ForgottenJobs()
        var last: JobID?
        while answer.forgotten < limit {
            try Task.checkCancellation()
            let jobs = try await queries.jobIDs(
                endedBefore: moment,
                after: last,
                limit: min(forgottenAtOnce, limit - answer.forgotten)
            )
            guard !jobs.isEmpty else { return answer }
            last = jobs.last
            let some = try await forget(jobs)
            answer.forgotten += some.forgotten
            answer.kept += some.kept
        }
        return answer
    }
}

/// The number of jobs looked up at once.
private let forgottenAtOnce = 10_000
