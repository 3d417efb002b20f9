import JobCore

/// Where jobs are durable.
///
/// Called from the engine's thread alone.
public protocol StorePort: Sendable {
    /// Writes all changes in one transaction, and returns when the disk has them.
    func commit(_ changes: StoreChanges) throws(StoreFailure)
    /// Gives the room that is kept for it to the store: nobody else may write on its disk until
    /// that is there again.
    func releaseReserve()
    /// Writes what is missing of the reserve, or a part of it, and says how far that came.
    func fillReserve() -> StoreRoom.Fill
    /// What the engine takes up at start.
    func storedState() throws(StoreFailure) -> StoredState
    /// The jobs of these names, in no order.
    func jobs(_ ids: [JobID]) throws(StoreFailure) -> [Job]
    /// The ids of all jobs in one of these states, ascending.
    func jobIDs(in states: [JobState]) throws(StoreFailure) -> [JobID]
    /// The user who submitted a job; nil where that isn't known.
    func submitter(of job: JobID) throws(StoreFailure) -> UInt32?
    /// The result of the oldest job whose document had these bytes (SHA-256 in lower-case hex), as this
    /// engine with these parameters found it; nil where there is none worth sharing.
    func detection(
        ofBytes sha256: String,
        by detector: DetectorIdentity
    ) throws(StoreFailure) -> (job: JobID, result: DetectionResult)?
    /// The batch that was accepted under an idempotency key of a user's, its jobs, and the digest of its
    /// body.
    func acceptedBatch(
        idempotencyKey: String,
        of user: UInt32?
    ) throws(StoreFailure) -> (batch: Batch, jobs: [JobID], bodyDigest: String)?
}
