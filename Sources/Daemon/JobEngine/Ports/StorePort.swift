import JobCore
import JobModel
import Vocabulary

/// The job store, as the engine sees it.
///
/// It is only called from the engine's thread.
public protocol StorePort: Sendable {
    /// Writes all changes in one transaction, and returns once they are on the disk.
    func commit(_ changes: StoreChanges) throws(StoreFailure)
    /// Gives the reserve's space to the store; nobody else may write on that disk until it is filled
    /// again.
    func releaseReserve()
    /// Fills the reserve or a part of it, and returns how far that got.
    func fillReserve() -> StoreRoom.Fill
    /// Returns the bytes that are free on the store's disk; nil if unknown.
    func freeBytes() -> Int64?
    /// Reads the state from which the engine starts, and fills in the jobs that wait; nothing if it fails.
    func storedState(filling waiting: inout WaitingJobs) throws(StoreFailure) -> StoredState
    /// Returns the jobs with these ids in no particular order.
    func jobs(_ ids: [JobID]) throws(StoreFailure) -> [Job]
    /// Returns the resting jobs in these states among some jobs, which must ascend, in ascending order.
    ///
    /// `withoutPartials` leaves out jobs that may have a partial. A store may leave out any job: it is then loaded
    /// whole. `next` are the jobs that will be asked for next in the same way, which a store may read ahead.
    func restingJobs(
        _ ids: [JobID],
        in states: [JobState],
        withoutPartials: Bool,
        next: ArraySlice<JobID>
    ) throws(StoreFailure) -> [RestingJob]
    /// Returns the ids of all jobs in any of these states, in ascending order.
    func jobIDs(in states: [JobState]) throws(StoreFailure) -> [JobID]
    /// Returns those of these jobs that are in any of these states, in ascending order.
    func jobIDs(among jobs: [JobID], in states: [JobState]) throws(StoreFailure) -> [JobID]
    /// Returns the ids of a batch's jobs that haven't ended, in ascending order.
    func jobIDs(unfinishedOf batch: BatchID) throws(StoreFailure) -> [JobID]
    /// Returns how long each renewal of a batch's lease is good for, in seconds; nil if it has none.
    func lease(of batch: BatchID) throws(StoreFailure) -> Int?
    /// Returns the user who submitted a job; nil if unknown.
    func submitter(of job: JobID) throws(StoreFailure) -> UInt32?
    /// Returns the result of the oldest job whose document had this content (SHA-256 in lower-case hex),
    /// found by this engine with these parameters; nil if there is none worth sharing.
    func detection(
        ofBytes sha256: String,
        by detector: DetectorIdentity
    ) throws(StoreFailure) -> (job: JobID, result: DetectionResult)?
    /// Returns the batch accepted under a user's idempotency key, with its jobs and the digest of its
    /// body.
    func acceptedBatch(
        idempotencyKey: String,
        of user: UInt32?
    ) throws(StoreFailure) -> (batch: Batch, jobs: [JobID], bodyDigest: String)?
}

extension StorePort {
    /// Nil, since nobody knows.
    public func freeBytes() -> Int64? { nil }
}
