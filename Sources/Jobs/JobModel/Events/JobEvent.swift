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

extension JobEvent {
    /// The text of the event log's line without its leading fields, in at most ``maximumMessageLength``
    /// bytes.
    ///
    /// A URL that doesn't fit is shortened, so that what follows it can still be read.
    public var message: String {
        var text = LogText()
        text.append(messageOf: kind)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// The complete line of the event log, without its line feed.
    public var logLine: String {
        var text = LogText()
        text.append(lineOf: self)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// The longest line of the event log in bytes, including its line feed.
    public static let maximumLineLength = 4096
    /// The longest message in bytes: a line less its leading fields, which are a time and two ids.
    public static let maximumMessageLength = 4000
}
