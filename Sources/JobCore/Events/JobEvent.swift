/// Something that happened to a job, durable before anyone hears of it.
public struct JobEvent: Hashable, Sendable, Identifiable {
    /// Grows by one with every event, across restarts, from 1.
    public var id: Int64
    /// When it happened; by the wall clock it may be before what happened earlier, as ``id`` tells.
    public var time: Moment
    /// When its batch was accepted.
    public var batchCreatedAt: Moment
    /// The batch of the job.
    public var batch: BatchID
    /// The job it happened to.
    public var job: JobID
    /// What happened.
    public var kind: Kind

    /// An event of a job.
    public init(
        id: Int64,
        time: Moment,
        batchCreatedAt: Moment,
        batch: BatchID,
        job: JobID,
        kind: Kind
    ) {
        self.id = id
        self.time = time
        self.batchCreatedAt = batchCreatedAt
        self.batch = batch
        self.job = job
        self.kind = kind
    }

    /// Seconds on the batch's clock; never less than of an earlier event of the batch.
    public var elapsed: Double { max(0, time.seconds(since: batchCreatedAt)) }

    /// Something that can happen to a job.
    ///
    /// URLs in here are masked.
    public enum Kind: Hashable, Sendable {
        /// The first transfer of a job was handed to the network.
        case started(url: String)
        /// Another tenth of the file is there: 10, 20 … 100.
        case progressed(name: String, percent: Int)
        /// So many bytes are there, of a file of unknown length.
        case received(name: String, bytes: Int64)
        /// A partial goes on where it was cut off.
        case resumed(name: String, offset: Int64, total: Int64?)
        /// A partial could not be gone on with.
        case restarted(name: String, reason: String)
        /// The partial is complete and on the disk.
        case finished(url: String, partialPath: String)
        /// The document is published.
        case stored(name: String, path: String)
        /// A try ended; the next comes by itself.
        case waiting(name: String, until: Timestamp, reason: JobFailure)
        /// The job ended without a document.
        case failed(url: String, failure: JobFailure)
        /// Held by a person.
        case paused(name: String)
        /// Let go by a person.
        case continued(name: String)
        /// Ended by a person.
        case cancelled(name: String)
        /// A detector began to look.
        case detectionStarted(name: String)
        /// The faces are counted; `sharedFrom` is the job whose document was looked at, where not this one's.
        case detectionFinished(name: String, faceCount: Int, sharedFrom: JobID? = nil)
        /// The gate is held; the document waits.
        case detectionDeferred(name: String)
        /// Looking came to nothing.
        case detectionFailed(name: String, outcome: DetectionOutcome, sharedFrom: JobID? = nil)
    }
}
