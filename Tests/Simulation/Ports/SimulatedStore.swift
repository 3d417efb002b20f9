import JobCore
import JobModel
import JobStore
import Vocabulary

@testable import JobEngine

/// The real store, whose disk may be full, and with which the daemon may be killed before each commit and after it.
final class SimulatedStore: StorePort, @unchecked Sendable {
    let real: JobStore
    private unowned let world: World
    weak var life: Life?
    /// The commits that fit into the reserve.
    private var commitsInReserve = 0
    private static let reserve = 400

    init(_ real: JobStore, _ world: World) { (self.real, self.world) = (real, world) }

    func commit(_ changes: StoreChanges) throws(StoreFailure) {
        guard life?.acts() == true else { throw .broken("killed before a commit") }
        if world.seconds < world.storeIsFullUntil {
            guard commitsInReserve > 0 else { throw .outOfSpace }
            commitsInReserve -= 1
        }
        try real.commit(changes)
        world.rows.apply(changes)
        if !changes.events.isEmpty { life?.eventsAreOut() }
        guard life?.acts() == true else { throw .broken("killed after a commit") }
    }

    func releaseReserve() { commitsInReserve = Self.reserve }

    func fillReserve() -> StoreRoom.Fill {
        guard world.seconds >= world.storeIsFullUntil else { return .noRoom }
        commitsInReserve = 0
        return .full
    }

    func storedState(filling waiting: inout WaitingJobs) throws(StoreFailure) -> StoredState {
        try real.storedState(filling: &waiting)
    }
    func jobs(_ ids: [JobID]) throws(StoreFailure) -> [Job] { try real.jobs(ids) }
    func restingJobs(
        _ ids: [JobID],
        in states: [JobState],
        withoutPartials: Bool,
        next: ArraySlice<JobID>
    ) throws(StoreFailure) -> [RestingJob] {
        // What is read ahead by another connection is as good as this, and may come or not.
        try real.restingJobs(ids, in: states, withoutPartials: withoutPartials, next: [])
    }
    func submitter(of job: JobID) throws(StoreFailure) -> UInt32? { try real.submitter(of: job) }
    func jobIDs(in states: [JobState]) throws(StoreFailure) -> [JobID] { try real.jobIDs(in: states) }
    func jobIDs(among jobs: [JobID], in states: [JobState]) throws(StoreFailure) -> [JobID] {
        try real.jobIDs(among: jobs, in: states)
    }
    func jobIDs(unfinishedOf batch: BatchID) throws(StoreFailure) -> [JobID] {
        try real.jobIDs(unfinishedOf: batch)
    }
    func lease(of batch: BatchID) throws(StoreFailure) -> Int? { try real.lease(of: batch) }
    func detection(
        ofBytes sha256: String,
        by detector: DetectorIdentity
    ) throws(StoreFailure) -> (job: JobID, result: DetectionResult)? {
        try real.detection(ofBytes: sha256, by: detector)
    }
    func acceptedBatch(
        idempotencyKey: String,
        of user: UInt32?
    ) throws(StoreFailure) -> (batch: Batch, jobs: [JobID], bodyDigest: String)? {
        try real.acceptedBatch(idempotencyKey: idempotencyKey, of: user)
    }
}
