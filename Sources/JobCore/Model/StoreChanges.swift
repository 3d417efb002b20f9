/// The changes of one turn of the engine, written in one transaction.
public struct StoreChanges: Sendable {
    /// Batches that begin to exist.
    public var newBatches: [NewBatch] = []
    /// Batches whose last jobs are in, and which may be seen now.
    public var revealedBatches: [BatchID] = []
    /// Batches of which some jobs are in, and the others never will be: they are removed.
    public var withdrawnBatches: [BatchID] = []
    /// Jobs that begin to exist.
    public var newJobs: [Job] = []
    /// Jobs as they are now.
    public var changedJobs: [Job] = []
    /// What is told, by ascending id.
    public var events: [JobEvent] = []
    /// How the detection gate is now, where that changed.
    public var detectionGateOpen: Bool?
    /// The steady clock, where it is to be stored anew.
    public var clock: StoredClock?

    /// The last event that the event log's file has, for which those after it are kept; nil where nobody
    /// needs them.
    public var loggedThrough: Int64?
    /// Whether there is so little room that all of it must be made the most of.
    public var isShortOfRoom = false

    /// No changes.
    public init() {}

    /// True when there is nothing to write.
    public var isEmpty: Bool {
        newBatches.isEmpty && revealedBatches.isEmpty && withdrawnBatches.isEmpty && newJobs.isEmpty
            && changedJobs.isEmpty
            && events.isEmpty && detectionGateOpen == nil && clock == nil
    }

    /// A batch that begins to exist.
    public struct NewBatch: Hashable, Sendable {
        /// The batch's name.
        public var id: BatchID
        /// When it was accepted.
        public var createdAt: Moment
        /// The user who asked, where known.
        public var submittedBy: UInt32?
        /// Its jobs, those of later slices included: their ids follow each other.
        public var jobs: ClosedRange<JobID>
        /// False while jobs are still to come: nobody sees the batch until then.
        public var isVisible: Bool
        /// The client's `Idempotency-Key`.
        public var idempotencyKey: String?
        /// A digest of the body that came with the key.
        public var bodyDigest: String?

        /// How many jobs it has.
        public var jobCount: Int { Int(jobs.upperBound.rawValue - jobs.lowerBound.rawValue) + 1 }

        /// A batch that begins to exist.
        public init(
            id: BatchID,
            createdAt: Moment,
            submittedBy: UInt32?,
            jobs: ClosedRange<JobID>,
            isVisible: Bool,
            idempotencyKey: String? = nil,
            bodyDigest: String? = nil
        ) {
            self.id = id
            self.createdAt = createdAt
            self.submittedBy = submittedBy
            self.jobs = jobs
            self.isVisible = isVisible
            self.idempotencyKey = idempotencyKey
            self.bodyDigest = bodyDigest
        }
    }
}

/// A reason why the store could not do its work.
public enum StoreFailure: Error, Hashable, Sendable {
    /// The disk is full; what was to be written is still to be written.
    case outOfSpace
    /// Nothing can be relied on any more; the sentence says why.
    case broken(String)
}

/// The state that the engine takes up at start.
public struct StoredState: Sendable {
    /// A job that waits for a permit: no more of it is needed until it gets one.
    public struct QueuedJob: Sendable {
        /// The job's number.
        public var id: JobID
        /// Where it goes; what the limit for each host goes by.
        public var host: String
        /// Higher goes first.
        public var priority: Int

        /// A job that waits for a permit.
        public init(id: JobID, host: String, priority: Int) {
            self.id = id
            self.host = host
            self.priority = priority
        }
    }

    /// Jobs in state `queued`, by ascending id.
    public var queued: [QueuedJob] = []
    /// Jobs that were in the middle of something, or reserve a name: `downloading`, `waiting`, `stored`, `detecting`.
    public var unfinished: [Job] = []
    /// Jobs whose rows made no sense, and which have `failed` for that; nobody was told yet.
    public var broken: [Job] = []
    /// How many jobs stand where.
    public var jobsByState: [JobState: Int] = [:]
    /// The highest id of a job, 0 for none.
    public var lastJob: Int64 = 0
    /// The highest id of a batch, 0 for none.
    public var lastBatch: Int64 = 0
    /// The highest id of an event, 0 for none.
    public var lastEvent: Int64 = 0
    /// How the detection gate was left; nil when nobody ever set it.
    public var detectionGateOpen: Bool?

    /// An empty store's state.
    public init() {}
}
