/// An event, as the control socket shows it: the frame, and the kind's own fields.
public struct EventJSON: APIObject, Identifiable {
    /// Grows with every event, across restarts.
    public var id: Int64
    /// When it happened, RFC 3339.
    public var time: String
    /// Seconds on the batch's clock.
    public var elapsed: Double
    /// The id of the batch.
    public var batch: Int64
    /// The id of the job.
    public var job: Int64
    /// What kind of thing happened; a newer daemon may know more kinds.
    public var kind: APIWord<Kind>
    /// What happened, as the event log says it.
    public var message: String
    /// The document's name.
    public var name: String?
    /// The URL, any password masked (`started`, `finished`, `failed`).
    public var url: String?
    /// The partial's path (`finished`) or the document's (`stored`).
    public var path: String?
    /// 10, 20 … 100 (`progressed`).
    public var percent: Int?
    /// Bytes so far (`received`), or where a download goes on (`resumed`).
    public var bytes: Int64?
    /// Length of the whole file (`resumed`), where known.
    public var totalBytes: Int64?
    /// Why (`restarted`, `waiting`, `failed`).
    public var reason: String?
    /// The reason's stable name (`waiting`, `failed`).
    public var code: String?
    /// When the next try may begin, RFC 3339 (`waiting`).
    public var until: String?
    /// How many faces (`detection_finished`).
    public var faceCount: Int?
    /// What came of it (`detection_failed`).
    public var outcome: APIWord<DetectionJSON.Outcome>?
    /// The job whose document had the same bytes, and whose result this is (`detection_finished`, `detection_failed`).
    public var sharedFrom: Int64?

    enum CodingKeys: String, CodingKey {
        case id, time, elapsed, batch, job, kind, message, name, url, path, percent, bytes
        case totalBytes = "total_bytes"
        case reason, code, until
        case faceCount = "face_count"
        case outcome
        case sharedFrom = "shared_from"
    }

    /// An event's frame; the kind's own fields are set after.
    public init(
        id: Int64,
        time: String,
        elapsed: Double,
        batch: Int64,
        job: Int64,
        kind: APIWord<Kind>,
        message: String
    ) {
        self.id = id
        self.time = time
        self.elapsed = elapsed
        self.batch = batch
        self.job = job
        self.kind = kind
        self.message = message
    }

    /// The frame is always there; of the rest, what belongs to the kind.
    public static let shape = Shape<EventJSON>(
        "Event",
        [
            Member(CodingKeys.id, \.id, .id),
            Member(CodingKeys.time, \.time, .time),
            Member(CodingKeys.elapsed, \.elapsed, .number(from: 0)),
            Member(CodingKeys.batch, \.batch, .id),
            Member(CodingKeys.job, \.job, .id),
            Member(CodingKeys.kind, \.kind),
            Member(CodingKeys.message, \.message, about: "The words of the event log."),
            Member(ifKnown: CodingKeys.name, \.name),
            Member(ifKnown: CodingKeys.url, \.url),
            Member(ifKnown: CodingKeys.path, \.path),
            Member(ifKnown: CodingKeys.percent, \.percent, .integer(from: 10, to: 100)),
            Member(ifKnown: CodingKeys.bytes, \.bytes, .integer(from: 0)),
            Member(ifKnown: CodingKeys.totalBytes, \.totalBytes, .integer(from: 0)),
            Member(ifKnown: CodingKeys.reason, \.reason),
            Member(ifKnown: CodingKeys.code, \.code),
            Member(ifKnown: CodingKeys.until, \.until, .time),
            Member(ifKnown: CodingKeys.faceCount, \.faceCount, .integer(from: 0)),
            Member(ifKnown: CodingKeys.outcome, \.outcome),
            Member(
                ifKnown: CodingKeys.sharedFrom,
                \.sharedFrom,
                .id,
                about: "The job whose document had the same bytes, and whose result this is."
            ),
        ]
    )
}

/// How far a transfer has come: sent between events, with no id, never replayed.
public struct ProgressJSON: APIObject {
    /// The id of the job.
    public var job: Int64
    /// The id of its batch.
    public var batch: Int64
    /// Bytes fetched.
    public var bytes: Int64
    /// Length of the whole file, where known.
    public var totalBytes: Int64?
    /// Bytes a second.
    public var bytesPerSecond: Double

    enum CodingKeys: String, CodingKey {
        case job, batch, bytes
        case totalBytes = "total_bytes"
        case bytesPerSecond = "bytes_per_second"
    }

    /// How far a transfer has come.
    public init(job: Int64, batch: Int64, bytes: Int64, totalBytes: Int64?, bytesPerSecond: Double) {
        self.job = job
        self.batch = batch
        self.bytes = bytes
        self.totalBytes = totalBytes
        self.bytesPerSecond = bytesPerSecond
    }

    /// The length is left out where it isn't known.
    public static let shape = Shape<ProgressJSON>(
        "Progress",
        [
            Member(CodingKeys.job, \.job, .id),
            Member(CodingKeys.batch, \.batch, .id),
            Member(CodingKeys.bytes, \.bytes, .integer(from: 0)),
            Member(ifKnown: CodingKeys.totalBytes, \.totalBytes, .integer(from: 0)),
            Member(CodingKeys.bytesPerSecond, \.bytesPerSecond, .number(from: 0)),
        ]
    )
}
