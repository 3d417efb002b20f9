import JobCore
import JobModel
import Vocabulary

/// The engine's interface for people and programs.
///
/// Every call returns once its effect is durable.
public protocol JobControl: Sendable {
    /// Accepts a whole batch, or refuses it.
    func submit(_ submission: Submission) async throws(ControlError) -> AcceptedBatch

    /// Keeps the answer to a batch of which nothing was new, so that it can be repeated.
    func keep(_ answer: StoreChanges.EmptyAnswer) async throws(ControlError)

    /// Steers one job and returns its new state.
    ///
    /// Repeating an action changes nothing and is not an error.
    func steer(_ action: SteeringAction, job: JobID) async throws(ControlError) -> Job

    /// Steers every job for which the action makes sense, and returns their number.
    func steerAll(_ action: SteeringAction) async throws(ControlError) -> Int

    /// Steers those of some jobs for which the action makes sense, and returns their number.
    ///
    /// - Parameter states: The states in which it makes sense, which count once all that was asked before has been
    ///   done; nil leaves that to each job.
    func steer(
        _ action: SteeringAction,
        jobs: [JobID],
        in states: [JobState]?
    ) async throws(ControlError) -> Int

    /// Forgets those of some jobs that have ended; their documents stay.
    func forget(_ jobs: [JobID]) async throws(ControlError) -> ForgottenJobs

    /// Renews a batch's lease for this many seconds, or for as long as it was granted if that is nil: what it
    /// has held goes on.
    ///
    /// With 0 seconds it lapses at once.
    func renew(_ batch: BatchID, seconds: Int?) async throws(ControlError)

    /// Removes the document of a job that has ended, and returns the job once it is gone.
    ///
    /// A document that isn't what was stored stays, and that is an error.
    func removeDocument(of job: JobID) async throws(ControlError) -> Job

    /// Gives precedence to the jobs that a client looks at, until its lease lapses (``Attention``).
    ///
    /// This is not stored. Ids without a job mean nothing.
    func attend(_ client: Attention.Client, visible: [JobID], near: [JobID]) async throws(ControlError)

    /// Notes that a job's document, or a picture of it, has been served.
    ///
    /// This never waits.
    func served(_ job: Job)

    /// Opens or holds the detection gate.
    func setDetectionGate(open: Bool) async throws(ControlError)

    /// Returns the engine's current status without waiting.
    func status() -> EngineStatus

    /// Returns the progress of running transfers by job, without waiting.
    func liveTransfers() -> [JobID: LiveTransfer]

    /// Returns the hosts of all jobs that wait for a transfer or have one, by the bytes of their names.
    func hosts() async throws(ControlError) -> [HostStatus]

    /// Ends the hold of a host, named like ``JobURL/hostKey``, before its time: one request goes first, and then the
    /// others follow. Returns how things stand with it then; nil for a host of which nothing is known.
    func releaseHost(_ host: String) async throws(ControlError) -> HostStatus?

    /// The bus on which events are published as they happen.
    var events: EventBus { get }
}

/// The reason why the engine refused a request.
public enum ControlError: Error, Hashable, Sendable {
    /// There is no such job.
    case noSuchJob(JobID)
    /// The job's state does not allow it; the sentence says why.
    case notPossible(JobID, JobState, String)
    /// The batch has no lease that could be renewed.
    case noLease(BatchID)
    /// No detector has this engine.
    case noSuchEngine(DetectionEngine)
    /// An `Idempotency-Key` was reused with another body.
    case idempotencyKeyReused
    /// The store's disk is full: a new batch is not accepted, and anything else is not done, or only
    /// once there is room.
    case outOfSpace
    /// The daemon waits for something before it can start; the sentence says for what.
    case notStarted(String)
    /// The daemon is stopping.
    case stopping
}
