import Vocabulary

/// A job, as shown on the control socket.
public struct JobJSON: ListedObject, Identifiable {
    /// The job's id, from 1.
    public var id: Int64
    /// The id of its batch.
    public var batch: Int64
    /// The URL of the file, with any password masked.
    public var url: String
    /// The job's state.
    public var state: APIWord<JobState>
    /// The document's name; once stored, the name it was published under.
    public var name: String
    /// The folder that the document is in, or was asked for in; nil for the documents directory itself, and where
    /// it isn't known yet.
    public var folder: String?
    /// The document's absolute path, once stored.
    public var path: String?
    /// The number of bytes fetched.
    public var bytes: Int64
    /// The length of the whole file in bytes, where known.
    public var totalBytes: Int64?
    /// The proof of the document's length, once stored; nil also from a daemon older than the client.
    public var length: APIWord<LengthProof>?
    /// The server's statements about the file, once stored; nil where that isn't known.
    public var response: ResponseJSON?
    /// The percentage fetched, rounded down, if the length is known.
    public var percent: Int?
    /// The speed in bytes per second, while downloading.
    public var bytesPerSecond: Double?
    /// The number of transfers begun so far.
    public var attempts: Int
    /// The document's SHA-256, once stored.
    public var sha256: String?
    /// The reason why the job waits, and until when, if its state is `waiting`.
    public var waiting: WaitingJSON?
    /// The reason why the job failed, if its state is `failed`.
    public var error: ErrorJSON?
    /// The result of looking for faces.
    public var detection: DetectionJSON?
    /// The priority, from −100 to 100; higher goes first.
    public var priority: Int
    /// The rate limit in bytes per second, if one was given.
    public var rateLimit: Int64?
    /// The SHA-256 that the document must have, if one was given.
    public var expectedSHA256: String?
    /// The source that the job comes from; nil for one that was posted.
    public var source: String?
    /// The key that the item had there.
    public var itemKey: String?
    /// Facts about the job that whoever added it wants to know.
    public var meta: MetaJSON?
    /// The number of what it has come to, from one counter over all jobs; nil while it is under way.
    public var ended: Int64?
    /// The ending of the job.
    public var ending: APIWord<JobEnding>?
    /// The time when the batch was accepted (RFC 3339).
    public var createdAt: String
    /// The time when the document was removed, to make room or on request (RFC 3339); nil if it wasn't.
    public var evictedAt: String?
    /// True if somebody wants the document to stay; nil from a daemon older than the client.
    public var isPinned: Bool? = false
    /// The weight of its batch or source beside others of one priority; nil for 1.
    public var weight: Int?
    /// The time when the job reached its final state (RFC 3339).
    public var finishedAt: String?
    /// The seconds since the batch was accepted, up to now or to the job's end.
    public var elapsed: Double

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, batch, url, state, name, path, bytes
        case totalBytes = "total_bytes"
        case length, response, percent
        case bytesPerSecond = "bytes_per_second"
        case attempts, sha256, waiting, error, detection, priority
        case rateLimit = "rate_limit"
        case expectedSHA256 = "expected_sha256"
        case source
        case itemKey = "item_key"
        case meta, ended, ending
        case createdAt = "created_at"
        case finishedAt = "finished_at"
        case evictedAt = "evicted_at"
        case isPinned = "pinned"
        case weight
        case folder
        case elapsed
    }

    public init(
        id: Int64,
        batch: Int64,
        url: String,
        state: APIWord<JobState>,
        name: String,
        bytes: Int64,
        attempts: Int,
        priority: Int,
        createdAt: String,
        elapsed: Double
    ) {
        self.id = id
        self.batch = batch
        self.url = url
        self.state = state
        self.name = name
        self.bytes = bytes
        self.attempts = attempts
        self.priority = priority
        self.createdAt = createdAt
        self.elapsed = elapsed
    }

    public func visit(_ visitor: inout some MemberVisitor) {
        visitor.member("attempts", attempts, .count)
        visitor.member("batch", batch, .id)
        visitor.member("bytes", bytes, .count)
        visitor.member("bytes_per_second", bytesPerSecond, .number(from: 0).orNull)
        visitor.member("created_at", createdAt, .time)
        visitor.member("detection", detection)
        visitor.member("elapsed", elapsed, .number(from: 0))
        visitor.member("ended", ended, .id.orNull) {
            "The number of what the job has come to, from one counter over all jobs that only grows; null while it is "
                + "under way, or under way again. In a list by ended_after, that of the item's ending."
        }
        visitor.member("ending", ending) {
            "What the job has come to: what the number in ended is of; null where that is."
        }
        visitor.member("error", error)
        visitor.member("evicted_at", evictedAt, .time.orNull) {
            "When the document was removed, to make room (documents.maximum-size) or on request; null if not."
        }
        visitor.member("expected_sha256", expectedSHA256, .sha256.orNull)
        visitor.member("finished_at", finishedAt, .time.orNull)
        visitor.member(ifKnown: "folder", folder) {
            "The folder that the document is in, or was asked for in: a path in the documents directory; absent for "
                + "that directory itself, and before it is known."
        }
        visitor.member("id", id, .id)
        visitor.member("item_key", itemKey) { "What the item is known by in its source." }
        visitor.member("length", length) {
            "Whether the document is proven to be as long as the server's file: unproven if only the closing of the "
                + "connection showed where it ends; null until stored."
        }
        visitor.member("meta", meta) { "What it was added with, to be known later." }
        visitor.member("name", name)
        visitor.member("path", path) { "Absolute; null until stored, and once the document was removed." }
        visitor.member("percent", percent, .integer(from: 0, to: 100).orNull)
        visitor.member(ifKnown: "pinned", isPinned, isPromised: true) {
            "Whether the document is kept however long ago it was served."
        }
        visitor.member("priority", priority, .priority)
        visitor.member("rate_limit", rateLimit, .integer(from: 1).orNull) {
            "The maximum speed in bytes per second, where one was given."
        }
        visitor.member("response", response)
        visitor.member("sha256", sha256, .sha256.orNull) {
            "The document's checksum; null until it is stored, for a large one until it is hashed, and for one that "
                + "could not be read until detection is asked for again."
        }
        visitor.member("source", source) {
            "The name of the source that it comes from; null for jobs that were posted."
        }
        visitor.member("state", state)
        visitor.member("total_bytes", totalBytes, .count.orNull)
        visitor.member("url", url) {
            "Passwords are masked, as are users without one; unreadable:url where the stored URL can no longer be "
                + "read."
        }
        visitor.member("waiting", waiting)
        visitor.member(ifKnown: "weight", weight, BatchRequest.weightSchema) {
            "The weight of its batch or source beside others; absent if it is 1."
        }
    }

    public static let shape = Shape<JobJSON>(
        "Job",
        of: JobJSON(
            id: 1,
            batch: 1,
            url: "",
            state: .known(.queued),
            name: "",
            bytes: 0,
            attempts: 0,
            priority: 0,
            createdAt: "",
            elapsed: 0
        ),
        in: CodingKeys.allCases
    )

    /// The reason why a job waits.
    public struct WaitingJSON: APIObject {
        /// The machine-readable code, such as `disk_full`; nil from a daemon older than the client.
        public var code: String?
        /// A sentence for people.
        public var reason: String
        /// The time when the next attempt may begin (RFC 3339).
        public var until: String
        /// False if the job waits for something that isn't its own fault, for which no try is counted; nil from a
        /// daemon older than the client.
        public var isOwn: Bool?

        enum CodingKeys: String, CodingKey {
            case code, reason, until
            case isOwn = "own"
        }

        public init(code: String?, reason: String, until: String, isOwn: Bool? = nil) {
            self.code = code
            self.reason = reason
            self.until = until
            self.isOwn = isOwn
        }

        public static let shape = Shape<WaitingJSON>("Waiting", CodingKeys.self) {
            $0.member(ifKnown: .code, \.code, isPromised: true) { "The same codes as in an error." }
            $0.member(.reason, \.reason)
            $0.member(.until, \.until, .time)
            $0.member(ifKnown: .isOwn, \.isOwn, isPromised: true) {
                "False if it waits for something that isn't its own fault, such as a host that asks everybody to "
                    + "wait; no try is counted then."
            }
        }
    }

    /// The reason why a job failed.
    public struct ErrorJSON: APIObject {
        /// The machine-readable code.
        public var code: String
        /// A sentence for people.
        public var message: String

        public init(code: String, message: String) {
            self.code = code
            self.message = message
        }

        public static let shape = Shape<ErrorJSON>("Error", CodingKeys.self) {
            $0.member(.code, \.code)
            $0.member(.message, \.message)
        }
    }
}
