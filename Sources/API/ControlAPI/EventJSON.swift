import Vocabulary

/// An event, as shown on the control socket: members common to all events, and those of its kind.
public struct EventJSON: ListedObject, Identifiable {
    /// The event's id, which increases with every event, across restarts.
    public var id: Int64
    /// The time when the event happened (RFC 3339).
    public var time: String
    /// The seconds since the batch was accepted.
    public var elapsed: Double
    /// The id of the batch.
    public var batch: Int64
    /// The id of the job.
    public var job: Int64
    /// The kind of event; newer daemons may know more kinds.
    public var kind: APIWord<EventWord>
    /// The text of the event log's line.
    public var message: String
    /// The document's name.
    public var name: String?
    /// The URL with any password masked (`started`, `finished`, `failed`).
    public var url: String?
    /// The partial's path (`finished`) or the document's (`stored`).
    public var path: String?
    /// A mark that the document's length is unproven (`stored`); nil if it is proven.
    public var length: APIWord<LengthProof>?
    /// The percentage reached, in steps of 10 (`progressed`).
    public var percent: Int?
    /// The bytes received so far (`received`), or the offset at which a download resumes (`resumed`).
    public var bytes: Int64?
    /// The length of the whole file in bytes, where known (`resumed`).
    public var totalBytes: Int64?
    /// The reason (`restarted`, `waiting`, `failed`, `detection_failed`).
    public var reason: String?
    /// The machine-readable code of the reason (`waiting`, `failed`).
    public var code: String?
    /// The time when the next attempt may begin (RFC 3339; `waiting`).
    public var until: String?
    /// The number of faces (`detection_finished`).
    public var faceCount: Int?
    /// The outcome of detection (`detection_failed`).
    public var outcome: APIWord<DetectionOutcome>?
    /// The job that this result is shared from, whose document has the same content
    /// (`detection_finished`, `detection_failed`).
    public var sharedFrom: Int64?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, time, elapsed, batch, job, kind, message, name, url, path, length, percent, bytes
        case totalBytes = "total_bytes"
        case reason, code, until
        case faceCount = "face_count"
        case outcome
        case sharedFrom = "shared_from"
    }

    public init(
        id: Int64,
        time: String,
        elapsed: Double,
        batch: Int64,
        job: Int64,
        kind: APIWord<EventWord>,
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

    public func visit(_ visitor: inout some MemberVisitor) {
        visitor.member("batch", batch, .id)
        visitor.member(ifKnown: "bytes", bytes, .count)
        visitor.member(ifKnown: "code", code)
        visitor.member("elapsed", elapsed, .number(from: 0))
        visitor.member(ifKnown: "face_count", faceCount, .count)
        visitor.member("id", id, .id)
        visitor.member("job", job, .id)
        visitor.member("kind", kind)
        visitor.member(ifKnown: "length", length) {
            "Unproven where only the closing of the connection showed where the stored document ends."
        }
        visitor.member("message", message) { "The words of the event log." }
        visitor.member(ifKnown: "name", name)
        visitor.member(ifKnown: "outcome", outcome)
        visitor.member(ifKnown: "path", path)
        visitor.member(ifKnown: "percent", percent, .integer(from: 10, to: 100))
        visitor.member(ifKnown: "reason", reason)
        visitor.member(ifKnown: "shared_from", sharedFrom, .id) {
            "The job whose document had the same bytes, and whose result this is."
        }
        visitor.member("time", time, .time)
        visitor.member(ifKnown: "total_bytes", totalBytes, .count)
        visitor.member(ifKnown: "until", until, .time)
        visitor.member(ifKnown: "url", url)
    }

    public static let shape = Shape<EventJSON>(
        "Event",
        of: EventJSON(
            id: 1,
            time: "",
            elapsed: 0,
            batch: 1,
            job: 1,
            kind: .known(.started),
            message: ""
        ),
        in: CodingKeys.allCases
    )
}

/// The progress of a transfer, sent between events, without an id and never replayed.
public struct ProgressJSON: APIObject {
    /// The id of the job.
    public var job: Int64
    /// The id of its batch.
    public var batch: Int64
    /// The number of bytes fetched.
    public var bytes: Int64
    /// The length of the whole file in bytes, where known.
    public var totalBytes: Int64?
    /// The speed in bytes per second.
    public var bytesPerSecond: Double

    enum CodingKeys: String, CodingKey {
        case job, batch, bytes
        case totalBytes = "total_bytes"
        case bytesPerSecond = "bytes_per_second"
    }

    public init(job: Int64, batch: Int64, bytes: Int64, totalBytes: Int64?, bytesPerSecond: Double) {
        self.job = job
        self.batch = batch
        self.bytes = bytes
        self.totalBytes = totalBytes
        self.bytesPerSecond = bytesPerSecond
    }

    public static let shape = Shape<ProgressJSON>("Progress", CodingKeys.self) {
        $0.member(.job, \.job, .id)
        $0.member(.batch, \.batch, .id)
        $0.member(.bytes, \.bytes, .count)
        $0.member(ifKnown: .totalBytes, \.totalBytes, .count)
        $0.member(.bytesPerSecond, \.bytesPerSecond, .number(from: 0))
    }
}

extension EventJSON {
    /// The type of a frame of the event stream, as in its `event` field.
    public enum StreamName: String, CaseIterable, Sendable {
        /// A durable event: the data is an ``EventJSON``.
        case job
        /// The progress of a transfer: the data is a ``ProgressJSON``.
        case progress
        /// The follower read too slowly and missed events: the data is a ``NoticeJSON``.
        case missed
        /// The events asked for are no longer kept: the data is a ``NoticeJSON``.
        case gone
    }
}
