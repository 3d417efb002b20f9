import Vocabulary

/// A group of jobs submitted together.
public struct Batch: Hashable, Sendable, Identifiable {
    /// The batch's number.
    public let id: BatchID
    /// The moment at which the batch was accepted; elapsed times count from here.
    public let createdAt: Moment
    /// The user id of the submitter, where known.
    public let submittedBy: UInt32?
    /// The number of jobs in the batch.
    public let jobCount: Int
    /// The number of jobs in each state; states without jobs are left out.
    public var jobsByState: [JobState: Int]
    /// The length of each renewal of its lease, in seconds; nil if it has none.
    public var lease: Int?
    /// The number of items that were left out because their URLs were known; nil if that wasn't asked for.
    public var known: Int?

    /// The lengths that a lease can have, in seconds.
    public static let leases: ClosedRange<Int64> = 1...86_400

    public init(
        id: BatchID,
        createdAt: Moment,
        submittedBy: UInt32?,
        jobCount: Int,
        jobsByState: [JobState: Int],
        lease: Int? = nil,
        known: Int? = nil
    ) {
        self.id = id
        self.createdAt = createdAt
        self.submittedBy = submittedBy
        self.jobCount = jobCount
        self.jobsByState = jobsByState
        self.lease = lease
        self.known = known
    }
}
