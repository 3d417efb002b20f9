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
}
