/// Files that were asked for together.
public struct Batch: Hashable, Sendable, Identifiable {
    /// The batch's name.
    public let id: BatchID
    /// When it was accepted; the zero of its clock.
    public let createdAt: Moment
    /// The user who asked, where known.
    public let submittedBy: UInt32?
    /// How many jobs it has.
    public let jobCount: Int
    /// How many of them stand where; states without jobs are left out.
    public var jobsByState: [JobState: Int]

    /// A batch, with its counts as of one moment.
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
