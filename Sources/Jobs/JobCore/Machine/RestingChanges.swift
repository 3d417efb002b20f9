import JobModel
import Vocabulary

/// The changes to resting jobs that the next transaction writes.
public struct RestingChanges: Sendable {
    /// The changes, in order; no job is in two of them.
    public private(set) var all: [RestingChange] = []
    /// The place of each job's change.
    private var places = JobTable<Int>()

    /// No changes.
    public init() {}

    /// Returns whether a job changes.
    public func contains(_ job: JobID) -> Bool { places[job] != nil }

    /// Adds the change of a job that is in none yet.
    public mutating func append(_ change: RestingChange) {
        if all.isEmpty || !all[all.count - 1].extend(by: change) { all.append(change) }
        places.set(all.count - 1, for: change.jobs)
    }

    /// Applies the change that the next transaction makes, if any, to a job as it was read from the store.
    public func amend(_ job: inout Job) {
        if let place = places[job.id] { all[place].apply(to: &job) }
    }
}
