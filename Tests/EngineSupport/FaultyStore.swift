import JobCore
import JobEngine
import JobModel
import JobStore
import Synchronization
import Vocabulary

/// The real store, until a test wants its disk to be full or broken.
package final class FaultyStore: StorePort {
    package let real: JobStore
    private let fault = Mutex<StoreFailure?>(nil)
    private let count = Mutex(0)

    package init(_ real: JobStore) { self.real = real }

    /// The numbers of jobs that each transaction has written.
    package let written = Mutex<[Int]>([])
    package var commits: Int { count.withLock { $0 } }
    package func fail(with failure: StoreFailure?) { fault.withLock { $0 = failure } }

    package func commit(_ changes: StoreChanges) throws(StoreFailure) {
        if let failure = fault.withLock({ $0 }) { throw failure }
        try real.commit(changes)
        let resting = changes.restingChanges.reduce(0) { $0 + $1.count }
        let jobs = changes.newJobs.count + changes.changedJobs.count + changes.forgottenJobs.count + resting
        written.withLock { $0.append(jobs) }
        count.withLock { $0 += 1 }
    }

    /// The results of filling the reserve, from the next on, and of what is heard of the room.
    package let fills = Mutex<[StoreRoom.Fill]>([])
    package let isHelpedByReserve = Mutex(false)
    package let heard = Mutex<@Sendable (String) -> Void>({ _ in })

    package func releaseReserve() {
        heard.withLock { $0 }("release")
        if isHelpedByReserve.withLock({ $0 }) { fail(with: nil) }
    }

    package func fillReserve() -> StoreRoom.Fill {
        heard.withLock { $0 }("fill")
        return fills.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .full }
    }

    /// The jobs that were read, those of one reading together, and the contents of which a result was asked for.
    package let read = Mutex<[[JobID]]>([])
    package let asked = Mutex<[String]>([])

    package func storedState(filling waiting: inout WaitingJobs) throws(StoreFailure) -> StoredState {
        try real.storedState(filling: &waiting)
    }
    package func jobs(_ ids: [JobID]) throws(StoreFailure) -> [Job] {
        if !ids.isEmpty { read.withLock { $0.append(ids) } }
        return try real.jobs(ids)
    }
    /// True if it knows of jobs that they rest; otherwise each is read whole.
    package let knowsResting = Mutex(true)
    package func restingJobs(
        _ ids: [JobID],
        in states: [JobState],
        withoutPartials: Bool,
        next: ArraySlice<JobID>
    ) throws(StoreFailure) -> [RestingJob] {
        guard knowsResting.withLock({ $0 }) else { return [] }
        return try real.restingJobs(ids, in: states, withoutPartials: withoutPartials, next: next)
    }
    package func submitter(of job: JobID) throws(StoreFailure) -> UInt32? { try real.submitter(of: job) }
    package func jobIDs(in states: [JobState]) throws(StoreFailure) -> [JobID] { try real.jobIDs(in: states) }
    package func jobIDs(among jobs: [JobID], in states: [JobState]) throws(StoreFailure) -> [JobID] {
        try real.jobIDs(among: jobs, in: states)
    }
    package func jobIDs(unfinishedOf batch: BatchID) throws(StoreFailure) -> [JobID] {
        try real.jobIDs(unfinishedOf: batch)
    }
    package func lease(of batch: BatchID) throws(StoreFailure) -> Int? { try real.lease(of: batch) }
    package func detection(
        ofBytes sha256: String,
        by detector: DetectorIdentity
    ) throws(StoreFailure) -> (job: JobID, result: DetectionResult)? {
        asked.withLock { $0.append(sha256) }
        return try real.detection(ofBytes: sha256, by: detector)
    }
    package func acceptedBatch(
        idempotencyKey: String,
        of user: UInt32?
    ) throws(StoreFailure) -> (batch: Batch, jobs: [JobID], bodyDigest: String)? {
        try real.acceptedBatch(idempotencyKey: idempotencyKey, of: user)
    }
}
