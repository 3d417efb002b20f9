import Vocabulary

/// The changes of one turn of the engine, written in one transaction.
public struct StoreChanges: Sendable {
    /// New batches.
    public var newBatches: [NewBatch] = []
    /// Batches that become visible, because their last jobs are in.
    public var revealedBatches: [BatchID] = []
    /// Batches to remove because some of their jobs will never arrive.
    public var withdrawnBatches: [BatchID] = []
    /// New jobs.
    public var newJobs: [Job] = []
    /// Changed jobs, in their new state.
    public var changedJobs: [Job] = []
    /// Changes to resting jobs, written before ``changedJobs``.
    public var restingChanges: [RestingChange] = []
    /// Jobs that are forgotten: their rows are removed.
    public var forgottenJobs: [JobID] = []
    /// The number of the last ending that was ever given; 0 for none.
    ///
    /// The engine says it, since no row does for certain: damage can make any number of a row's.
    public var lastEnding: Int64 = 0
    /// New events, in ascending order of id.
    public var events: [JobEvent] = []
    /// The new position of the detection gate; nil if it hasn't changed.
    public var detectionGateOpen: Bool?
    /// The writes about sources, in order.
    public var sources: [SourceWrite] = []
    /// Answers to batches of which nothing was new.
    public var emptyAnswers: [EmptyAnswer] = []
    /// The steady clock's reading; nil if it need not be stored again.
    public var clock: StoredClock?

    /// The last event in the event log's file, after which events must be kept for it; nil if no log
    /// needs them.
    public var loggedThrough: Int64?
    /// True if the disk is so full that the store must save space wherever it can.
    public var isShortOfRoom = false

    public init() {}

    /// True if there is nothing to write.
    public var isEmpty: Bool {
        newBatches.isEmpty && revealedBatches.isEmpty && withdrawnBatches.isEmpty && newJobs.isEmpty
            && changedJobs.isEmpty && restingChanges.isEmpty && forgottenJobs.isEmpty
            && events.isEmpty && detectionGateOpen == nil && sources.isEmpty && clock == nil
            && emptyAnswers.isEmpty
    }

    /// A new batch.
    public struct NewBatch: Hashable, Sendable {
        /// The batch's number.
        public var id: BatchID
        /// The moment at which the batch was accepted.
        public var createdAt: Moment
        /// The user id of the submitter, where known.
        public var submittedBy: UInt32?
        /// The ids of the batch's jobs, including those of later slices; they are consecutive.
        public var jobs: ClosedRange<JobID>
        /// False while jobs are still to come; until then nobody sees the batch.
        public var isVisible: Bool
        /// The client's `Idempotency-Key`.
        public var idempotencyKey: String?
        /// A digest of the body that came with the key.
        public var bodyDigest: String?
        /// The length of each renewal of its lease, in seconds; nil if it has none.
        public var lease: Int?
        /// The number of items that were left out because their URLs were known; nil if that wasn't asked for.
        public var known: Int?

        /// The number of jobs in the batch.
        public var jobCount: Int { Int(jobs.upperBound.rawValue - jobs.lowerBound.rawValue) + 1 }

        /// A new batch.
        public init(
            id: BatchID,
            createdAt: Moment,
            submittedBy: UInt32?,
            jobs: ClosedRange<JobID>,
            isVisible: Bool,
            idempotencyKey: String? = nil,
            bodyDigest: String? = nil,
            lease: Int? = nil,
            known: Int? = nil
        ) {
            self.id = id
            self.createdAt = createdAt
            self.submittedBy = submittedBy
            self.jobs = jobs
            self.isVisible = isVisible
            self.idempotencyKey = idempotencyKey
            self.bodyDigest = bodyDigest
            self.lease = lease
            self.known = known
        }
    }

    /// The answer to a batch with a key of which all items were known, so that there is no batch.
    public struct EmptyAnswer: Hashable, Sendable {
        /// The client's `Idempotency-Key`.
        public var idempotencyKey: String
        /// The user id of the submitter, where known.
        public var submittedBy: UInt32?
        /// A digest of the body that came with the key.
        public var bodyDigest: String
        /// The number of items.
        public var known: Int

        public init(idempotencyKey: String, submittedBy: UInt32?, bodyDigest: String, known: Int) {
            self.idempotencyKey = idempotencyKey
            self.submittedBy = submittedBy
            self.bodyDigest = bodyDigest
            self.known = known
        }
    }
}

/// The reason why the store could not do its work.
public enum StoreFailure: Error, Hashable, Sendable {
    /// The disk is full; nothing was written, and the same changes can be tried again.
    case outOfSpace
    /// The store can no longer be relied on; the sentence says why.
    case broken(String)
}

/// The stored state from which the engine starts, besides the jobs that only wait (``WaitingJobs``).
public struct StoredState: Sendable {
    /// The jobs that were being worked on, or reserve a name: `downloading`, `waiting`, `detecting`, and those
    /// `stored` for whose documents something is to be done before they can be looked at.
    public var unfinished: [Job] = []
    /// The documents that may be removed to make room, and those that may be once somebody lets them go.
    public var evictables: [EvictableDocument] = []
    /// The batches with a lease and jobs that haven't ended, and how long each renewal is good for, in seconds.
    public var leases: [(batch: BatchID, seconds: Int)] = []
    /// The jobs that have `failed` because their rows could not be read; this has not been reported yet.
    public var broken: [Job] = []
    /// The number of jobs in each state.
    public var jobsByState: [JobState: Int] = [:]
    /// The highest id of a job, 0 for none.
    public var lastJob: Int64 = 0
    /// The highest id of a batch, 0 for none.
    public var lastBatch: Int64 = 0
    /// The highest id of an event, 0 for none.
    public var lastEvent: Int64 = 0
    /// The highest number of an ending that was ever given, 0 for none.
    public var lastEnding: Int64 = 0
    /// The id that was made with the store; empty if nobody keeps one.
    public var identity = ""
    /// The last position of the detection gate; nil if nobody has ever set it.
    public var detectionGateOpen: Bool?

    /// Creates the state of an empty store.
    public init() {}
}
