import JobCore
import JobModel
import Vocabulary

/// The engine's interface for people and programs.
///
/// Every call returns once its effect is durable.
public protocol JobControl: Sendable {
    /// Accepts a whole batch, or refuses it.
    ///
    /// - Throws: ``ControlError``
    func submit(_ submission: Submission) async throws(ControlError) -> AcceptedBatch

    /// Keeps the answer to a batch of which nothing was new, so that it can be repeated.
    ///
    /// - Throws: ``ControlError``
    func keep(_ answer: StoreChanges.EmptyAnswer) async throws(ControlError)

    /// Steers one job and returns its new state.
    ///
    /// Repeating an action changes nothing and is not an error.
    ///
    /// - Throws: ``ControlError``
    func steer(_ action: SteeringAction, job: JobID) async throws(ControlError) -> Job

    /// Steers every job for which the action makes sense, and returns their number.
    ///
    /// - Throws: ``ControlError``
    func steerAll(_ action: SteeringAction) async throws(ControlError) -> Int

    /// Steers those of some jobs for which the action makes sense, and returns their number.
    ///
    /// - Parameter states: The states in which it makes sense, which count once all that was asked before has been
    ///   done; nil leaves that to each job.
    /// - Throws: ``ControlError``
    func steer(
        _ action: SteeringAction,
        jobs: [JobID],
        in states: [JobState]?
    ) async throws(ControlError) -> Int

    /// Forgets those of some jobs that have ended; their documents stay.
    ///
    /// - Throws: ``ControlError``
    func forget(_ jobs: [JobID]) async throws(ControlError) -> ForgottenJobs

    /// Renews a batch's lease for this many seconds, or for as long as it was granted if that is nil: what it
    /// has held goes on.
    ///
    /// With 0 seconds it lapses at once.
    ///
    /// - Throws: ``ControlError``
    func renew(_ batch: BatchID, seconds: Int?) async throws(ControlError)

    /// Removes the document of a job that has ended, and returns the job once it is gone.
    ///
    /// A document that isn't what was stored stays, and that is an error.
    ///
    /// - Throws: ``ControlError``
    func removeDocument(of job: JobID) async throws(ControlError) -> Job

    /// Gives precedence to the jobs that a client looks at, until its lease lapses (``Attention``).
    ///
    /// This is not stored. Ids without a job mean nothing.
    ///
    /// - Throws: ``ControlError``
    func attend(_ client: Attention.Client, visible: [JobID], near: [JobID]) async throws(ControlError)

    /// Notes that a job's document, or a picture of it, has been served.
    ///
    /// This never waits.
    func served(_ job: Job)

    /// Opens or holds the detection gate.
    ///
    /// - Throws: ``ControlError``
    func setDetectionGate(open: Bool) async throws(ControlError)

    /// Returns the engine's current status without waiting.
    func status() -> EngineStatus

    /// Returns the progress of running transfers by job, without waiting.
    func liveTransfers() -> [JobID: LiveTransfer]

    /// Returns the hosts of all jobs that wait for a transfer or have one, in no particular order.
    ///
    /// - Throws: ``ControlError``
    func hosts() async throws(ControlError) -> [HostStatus]

    /// Ends the hold of a host, named like ``JobURL/hostKey``, before its time: one request goes first, and then the
    /// others follow. Returns how things stand with it then; nil for a host of which nothing is known.
    ///
    /// - Throws: ``ControlError``
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

/// A batch to be accepted, with validated items.
public struct Submission: Sendable {
    /// The items in order.
    public var items: [NewJob]
    /// The user id of the submitter, where known (SO_PEERCRED).
    public var submittedBy: UInt32?
    /// The key that makes a repeated request return the first one's answer, with a digest of the body to
    /// detect reuse.
    public var idempotency: Idempotency?
    /// The source whose page it is: written by the transaction that shows the batch, or not at all.
    public var source: SourceWrite?
    /// The length of each renewal of the batch's lease, in seconds; nil if it needs none.
    public var lease: Int?
    /// The number of items that were left out because their URLs were known; nil if that wasn't asked for.
    public var known: Int?

    public init(
        items: [NewJob],
        submittedBy: UInt32?,
        idempotency: Idempotency? = nil,
        source: SourceWrite? = nil,
        lease: Int? = nil
    ) {
        self.items = items
        self.submittedBy = submittedBy
        self.idempotency = idempotency
        self.source = source
        self.lease = lease
    }

    /// The client's key for a request, and a digest of the request.
    public struct Idempotency: Hashable, Sendable {
        /// The `Idempotency-Key` header field, verbatim.
        public var key: String
        /// A digest of the request's body.
        public var bodyDigest: String

        public init(key: String, bodyDigest: String) {
            self.key = key
            self.bodyDigest = bodyDigest
        }
    }
}

/// The result of forgetting jobs; those that don't exist are in neither number.
public struct ForgottenJobs: Hashable, Sendable {
    /// The number of jobs that are forgotten.
    public var forgotten: Int
    /// The number of jobs that stay because they are under way.
    public var kept: Int

    public init(forgotten: Int = 0, kept: Int = 0) {
        self.forgotten = forgotten
        self.kept = kept
    }
}

/// A batch that has been accepted and is on the disk.
public struct AcceptedBatch: Hashable, Sendable {
    /// The batch in its current state.
    public var batch: Batch
    /// The batch's jobs in the order of the items.
    public var jobs: [JobID]

    public init(batch: Batch, jobs: [JobID]) {
        self.batch = batch
        self.jobs = jobs
    }
}

/// A steering action on a job.
public enum SteeringAction: Hashable, Sendable {
    /// Pause the job, keeping its partial.
    case pause
    /// Let the job continue.
    case resume
    /// End the job and remove its partial; a published document stays.
    case cancel
    /// Try again now; a new URL replaces an expired one.
    ///
    /// With a new URL, the job's own header fields are kept only if the user (SO_PEERCRED) is root or
    /// their submitter.
    case retry(url: JobURL?, by: UInt32? = nil)
    /// Look for faces again, with the given engine or the one in the settings.
    case detect(engine: DetectionEngine? = nil)
    /// Change the job's priority.
    case prioritize(Int)
    /// Keep the document however long ago it was served, or no longer.
    case pin(Bool)
    /// Keep the fingerprint of the document with this SHA-256, which changes nothing else of its result.
    case fingerprint(Fingerprint?, of: String?)

    /// The states of the jobs that it applies to where nobody has named any: for all, or by a filter without a
    /// state.
    public var sensibleStates: [JobState] {
        switch self {
        case .pause: [.queued, .downloading, .waiting, .stored, .detecting]
        case .resume: [.paused]
        case .cancel: [.queued, .downloading, .waiting, .stored, .detecting, .paused]
        case .retry: [.failed, .waiting]
        case .detect: [.done]
        case .prioritize: [.queued, .downloading, .waiting, .paused]
        case .pin: JobState.allCases
        case .fingerprint: [.done]
        }
    }
}

/// The engine's status at one moment.
public struct EngineStatus: Hashable, Sendable {
    /// The moment at which the engine started.
    public var startedAt: Moment
    /// The id that was made with the store; empty while the daemon has none.
    public var store = ""
    /// The number of jobs in each state; states without jobs are left out.
    public var jobsByState: [JobState: Int]
    /// The number of running transfers.
    public var activeTransfers: Int
    /// Their combined speed in bytes per second.
    public var bytesPerSecond: Double
    /// The rate in bytes per second that they are limited to now; nil if they aren't.
    public var rateLimit: Int64?
    /// The moment at which the timetable changes that limit; nil if it doesn't.
    public var rateLimitUntil: Moment?
    /// The bytes fetched since the engine started, including any fetched twice.
    public var receivedBytes: Int64
    /// True if documents are looked at as they arrive.
    public var detectionGateOpen: Bool
    /// The number of documents being looked at.
    public var activeDetections: Int
    /// The number of documents that wait for a detector.
    public var waitingDetections: Int
    /// The engine that looks if a request names none; nil until a detector has been ready.
    public var detectionEngine: String?
    /// The engines that requests can name.
    public var detectionEngines: Set<DetectionEngine> = []
    /// The free bytes on the documents' disk; nil if they can't be determined.
    public var freeBytes: Int64?
    /// The bytes that are kept free there (`disk.reserve`).
    public var reserveBytes: Int64 = 0
    /// The free bytes on the job store's disk; nil if they can't be determined.
    public var storeFreeBytes: Int64?

    /// The obstacles to beginning work, if there are any.
    public var holds: [EngineHold] = []
    /// True if the daemon is still starting.
    public var isStarting = false

    /// Creates the status of an idle engine.
    public init(startedAt: Moment) {
        self.startedAt = startedAt
        self.jobsByState = [:]
        self.activeTransfers = 0
        self.bytesPerSecond = 0
        self.receivedBytes = 0
        self.detectionGateOpen = true
        self.activeDetections = 0
        self.waitingDetections = 0
    }
}

extension EngineStatus {
    /// True if anything is still to be downloaded.
    var hasDownloads: Bool {
        [JobState.queued, .downloading, .waiting].contains { jobsByState[$0, default: 0] > 0 }
    }
}

/// Something that keeps work from being begun, until it passes by itself or someone acts.
public struct EngineHold: Hashable, Sendable {
    /// The kind of obstacle.
    public var kind: HoldKind
    /// A sentence for people.
    public var reason: String
    /// The moment at which it passes by itself; nil where nobody knows.
    public var until: Moment?
    /// The host that asks to wait (``JobURL/hostKey``); nil for any other obstacle.
    public var host: String?
    /// True if the job store is what lacks room.
    public var isOfStore = false

    /// The obstacle with how many bytes are free on the disk that lacks room, if anybody knows.
    public func saying(freeBytes: Int64?) -> EngineHold {
        guard let freeBytes else { return self }
        var hold = self
        hold.reason += " (now \(freeBytes >> 20) MiB are)"
        return hold
    }

    public init(kind: HoldKind, reason: String, until: Moment? = nil, host: String? = nil) {
        self.kind = kind
        self.reason = reason
        self.until = until
        self.host = host
    }
}

/// The progress of a running transfer.
public struct LiveTransfer: Hashable, Sendable {
    /// The number of bytes in the partial.
    public var bytes: Int64
    /// The length of the whole file in bytes, where known.
    public var total: Int64?
    /// The speed over the last few seconds, in bytes per second.
    public var bytesPerSecond: Double

    public init(bytes: Int64, total: Int64?, bytesPerSecond: Double) {
        self.bytes = bytes
        self.total = total
        self.bytesPerSecond = bytesPerSecond
    }
}
