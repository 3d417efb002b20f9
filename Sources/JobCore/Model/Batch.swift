/// A group of jobs submitted together.
public struct Batch: Hashable, Sendable, Identifiable {
    /// The batch's number.
    public let id: BatchID
    /// When the batch was accepted; elapsed times count from here.
    public let createdAt: Moment
    /// The user id of the submitter, where known.
    public let submittedBy: UInt32?
    /// The number of jobs in the batch.
    public let jobCount: Int
    /// The number of jobs in each state; states without jobs are left out.
    public var jobsByState: [JobState: Int]

    /// Creates a batch with its counts at one moment.
    public init(
        id: BatchID,
        createdAt: Moment,
        submittedBy: UInt32?,
        jobCount: Int,
        jobsByState: [JobState: Int]
    ) {
        self.id = id
        self.createdAt = createdAt
        self.submittedBy = submittedBy
        self.jobCount = jobCount
        self.jobsByState = jobsByState
    }
}
