import Vocabulary

/// Something that happened to a job, which is durable before anyone hears of it.
public struct JobEvent: Hashable, Sendable, Identifiable {
    /// The event's id, which increases by one with every event, across restarts, from 1.
    public var id: Int64
    /// The time of the event.
    ///
    /// By the wall clock, it may be before earlier events; the order is that of ``id``.
    public var time: Moment
    /// The moment at which the job's batch was accepted.
    public var batchCreatedAt: Moment
    /// The batch of the job.
    public var batch: BatchID
    /// The job that the event happened to.
    public var job: JobID
    /// The kind of event, with its details.
    public var kind: Kind

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

    /// The seconds since the batch was accepted, never less than for an earlier event of the batch.
    public var elapsed: Double { max(0, time.seconds(since: batchCreatedAt)) }

    /// A kind of event with its details.
    ///
    /// Its URLs are masked.
    public enum Kind: Hashable, Sendable {
        /// The first transfer of the job has begun.
        case started(url: String)
        /// Another tenth of the file has arrived: 10, 20 … 100 percent.
        case progressed(name: String, percent: Int)
        /// More bytes of a file of unknown length have arrived.
        case received(name: String, bytes: Int64)
        /// A partial is continued where it was cut off.
        case resumed(name: String, offset: Int64, total: Int64?)
        /// A partial could not be continued.
        case restarted(name: String, reason: String)
        /// The partial is complete and on the disk.
        case finished(url: String, partialPath: String)
        /// The document is published.
        case stored(name: String, path: String, length: LengthProof = .proven)
        /// An attempt has failed; the next one follows automatically.
        case waiting(name: String, until: Timestamp, reason: JobFailure)
        /// The job ended without a document.
        case failed(url: String, failure: JobFailure)
        /// A person has paused the job.
        case paused(name: String)
        /// A person has resumed the job.
        case continued(name: String)
        /// A person has cancelled the job.
        case cancelled(name: String)
        /// A detector has begun to look for faces.
        case detectionStarted(name: String)
        /// The faces have been counted; `sharedFrom` is the job whose document was looked at, if not
        /// this one.
        case detectionFinished(name: String, faceCount: Int, sharedFrom: JobID? = nil)
        /// The gate is held; the document waits.
        case detectionDeferred(name: String)
        /// A person has cancelled a second look; what the first one has brought stands.
        case detectionCancelled(name: String)
        /// Looking for faces has failed.
        case detectionFailed(
            name: String,
            outcome: DetectionOutcome,
            sharedFrom: JobID? = nil,
            reason: String? = nil
        )
        /// The document was removed to make room; its job and result stay.
        case evicted(name: String)
        /// The document was removed because somebody asked for it.
        case removed(name: String)
    }
}
