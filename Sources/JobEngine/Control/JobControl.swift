import JobCore

/// What a person or a program can ask of the engine: the whole of its front door.
///
/// Every call returns after what it did is durable.
public protocol JobControl: Sendable {
    /// Accepts a batch, all of it or nothing.
    ///
    /// - Throws: ``ControlError``
    func submit(_ submission: Submission) async throws(ControlError) -> AcceptedBatch

    /// Does one thing to one job, and returns the job as it is then. Doing
    /// what is already done changes nothing and is no error.
    ///
    /// - Throws: ``ControlError``
    func steer(_ action: SteeringAction, job: JobID) async throws(ControlError) -> Job

    /// Does one thing to every job it makes sense for, and returns how many those were.
    ///
    /// - Throws: ``ControlError``
    func steerAll(_ action: SteeringAction) async throws(ControlError) -> Int

    /// Opens the detection gate, or holds it.
    ///
    /// - Throws: ``ControlError``
    func setDetectionGate(open: Bool) async throws(ControlError)

    /// How the engine is at this moment. Never waits.
    func status() -> EngineStatus

    /// What the transfers under way have fetched, by job. Never waits.
    func liveTransfers() -> [JobID: LiveTransfer]

    /// Where events are published as they happen.
    var events: EventBus { get }
}

/// Why the engine did not do as asked.
public enum ControlError: Error, Hashable, Sendable {
    /// There is no such job.
    case noSuchJob(JobID)
    /// The job's state does not allow it; the sentence says why.
    case notPossible(JobID, JobState, String)
    /// No detector has this engine.
    case noSuchEngine(DetectionEngine)
    /// An `Idempotency-Key` came back with another body.
    case idempotencyKeyReused
    /// The disk under the store is full: a new batch is not accepted, and what else was asked
    /// for is not done, or not before there is room.
    case outOfSpace
    /// The daemon is stopping.
    case stopping
}

/// A batch that is asked for; its items have been checked.
public struct Submission: Sendable {
    /// The items, in order.
    public var items: [NewJob]
    /// The user who asks, where known (SO_PEERCRED).
    public var submittedBy: UInt32?
    /// Makes a repeated post answer as the first did, with a digest of the body to tell them apart.
    public var idempotency: Idempotency?

    /// A batch to accept.
    public init(items: [NewJob], submittedBy: UInt32?, idempotency: Idempotency? = nil) {
        self.items = items
        self.submittedBy = submittedBy
        self.idempotency = idempotency
    }

    /// The client's key for a post, and what the post said.
    public struct Idempotency: Hashable, Sendable {
        /// The `Idempotency-Key` header field, verbatim.
        public var key: String
        /// A digest of the request's body.
        public var bodyDigest: String

        /// A key and what came with it.
        public init(key: String, bodyDigest: String) {
            self.key = key
            self.bodyDigest = bodyDigest
        }
    }
}

/// A batch that is on the disk.
public struct AcceptedBatch: Hashable, Sendable {
    /// The batch as it is now.
    public var batch: Batch
    /// Its jobs, in the order of the items.
    public var jobs: [JobID]

    /// A batch and its jobs.
    public init(batch: Batch, jobs: [JobID]) {
        self.batch = batch
        self.jobs = jobs
    }
}

/// What can be done to a job.
public enum SteeringAction: Hashable, Sendable {
    /// Hold it, keeping its partial.
    case pause
    /// Let it go on.
    case resume
    /// End it and remove its partial; a published document stays.
    case cancel
    /// Try again now; a new URL replaces an expired one.
    ///
    /// With a new URL the job's own header fields stay only where the user who asks (SO_PEERCRED) is
    /// root or the one who submitted them.
    case retry(url: JobURL?, by: UInt32? = nil)
    /// Look for faces again, with another engine than that of the settings if one is given.
    case detect(engine: DetectionEngine? = nil)
    /// Move it in the queue.
    case prioritize(Int)
}

/// How the engine is at one moment.
public struct EngineStatus: Hashable, Sendable {
    /// When the engine started.
    public var startedAt: Moment
    /// How many jobs stand where; states without jobs are left out.
    public var jobsByState: [JobState: Int]
    /// Transfers under way.
    public var activeTransfers: Int
    /// What they fetch together, in bytes a second.
    public var bytesPerSecond: Double
    /// Bytes fetched since the engine started, what was fetched twice included.
    public var receivedBytes: Int64
    /// True when documents are looked at as they arrive.
    public var detectionGateOpen: Bool
    /// Documents that detectors are looking at.
    public var activeDetections: Int
    /// Documents that wait for a detector.
    public var waitingDetections: Int
    /// Free bytes where the documents are; nil when that can't be read.
    public var freeBytes: Int64?

    /// What holds everything up, if anything does.
    public var holds: [EngineHold] = []
    /// Whether the daemon is still starting.
    public var isStarting = false

    /// The state of an engine that has nothing to do.
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

/// Something that keeps work from being begun, and ends by itself or when somebody does something.
public struct EngineHold: Hashable, Sendable {
    /// What holds work up.
    public enum Kind: String, Hashable, Sendable {
        /// There is too little room on a disk.
        case disk
    }

    /// What it is.
    public var kind: Kind
    /// One sentence for people.
    public var reason: String

    /// What holds work up, and why.
    public init(kind: Kind, reason: String) {
        self.kind = kind
        self.reason = reason
    }
}

/// How far a transfer under way has come.
public struct LiveTransfer: Hashable, Sendable {
    /// Bytes in the partial.
    public var bytes: Int64
    /// Length of the whole file, where known.
    public var total: Int64?
    /// Bytes a second, over the last seconds.
    public var bytesPerSecond: Double

    /// How far a transfer has come.
    public init(bytes: Int64, total: Int64?, bytesPerSecond: Double) {
        self.bytes = bytes
        self.total = total
        self.bytesPerSecond = bytesPerSecond
    }
}
