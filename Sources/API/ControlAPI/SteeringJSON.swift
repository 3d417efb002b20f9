import Vocabulary

/// The answer to steering all jobs, or those that a filter lets through.
public struct SteeredJSON: APIObject {
    /// The number of jobs changed.
    public var changed: Int
    /// The number of jobs that the filter lets through; nil without one.
    public var matched: Int?

    public init(changed: Int, matched: Int? = nil) {
        self.changed = changed
        self.matched = matched
    }

    public static let shape = Shape<SteeredJSON>("Steered", CodingKeys.self) {
        $0.member(.changed, \.changed, .count)
        $0.member(ifKnown: .matched, \.matched, .count) {
            "How many jobs the filter lets through, in whatever state; absent without one."
        }
    }
}

/// The request body for retrying a job.
public struct RetryRequest: APIObject {
    /// The new URL of the file; nil to keep the old one.
    public var url: String?

    public init(url: String?) { self.url = url }

    public static let shape = Shape<RetryRequest>("RetryRequest", CodingKeys.self) {
        $0.member(ifKnown: .url, \.url, .url.orNull)
    }
}

/// The request body for looking for faces again.
public struct DetectRequest: APIObject {
    /// The engine to use; nil for the one in the daemon's settings.
    public var engine: APIWord<DetectionEngine>?

    public init(engine: APIWord<DetectionEngine>?) { self.engine = engine }

    public static let shape = Shape<DetectRequest>("DetectRequest", CodingKeys.self) {
        $0.member(ifKnown: .engine, \.engine, APIWord<DetectionEngine>.schema.orNull) {
            "The engine to use; by default the one in the settings."
        }
    }
}

/// A change to a job.
public struct JobChange: APIObject {
    /// The new priority; higher goes first.
    public var priority: Int

    public init(priority: Int) { self.priority = priority }

    public static let shape = Shape<JobChange>("JobChange", CodingKeys.self) {
        $0.member(.priority, \.priority, .priority)
    }
}

/// A request to forget jobs, which names them in one of three ways.
public struct ForgetRequest: APIObject {
    /// The ids of the jobs.
    public var ids: [Int64]?
    /// The batch whose jobs are meant.
    public var batch: Int64?
    /// The time before which they ended (RFC 3339).
    public var endedBefore: String?

    /// The members' names.
    public enum CodingKeys: String, CodingKey {
        case ids, batch
        case endedBefore = "ended_before"
    }

    public init(ids: [Int64]? = nil, batch: Int64? = nil, endedBefore: String? = nil) {
        self.ids = ids
        self.batch = batch
        self.endedBefore = endedBefore
    }

    /// The numbers of ids that a request can have.
    public static let idCount = 1...1000

    public static let shape = Shape<ForgetRequest>(
        "ForgetRequest",
        CodingKeys.self,
        about: "Exactly one of the three says which jobs are to be forgotten."
    ) {
        $0.member(ifKnown: .ids, \.ids, .array(of: .id, from: idCount.lowerBound, to: idCount.upperBound))
        $0.member(ifKnown: .batch, \.batch, .id)
        $0.member(ifKnown: .endedBefore, \.endedBefore, .time)
    }
}

/// The answer to a post to forget jobs.
public struct ForgottenJSON: APIObject {
    /// The number of jobs that are forgotten.
    public var forgotten: Int
    /// The number of jobs that stay because they are under way.
    public var kept: Int

    public init(forgotten: Int, kept: Int) {
        self.forgotten = forgotten
        self.kept = kept
    }

    public static let shape = Shape<ForgottenJSON>("Forgotten", CodingKeys.self) {
        $0.member(.forgotten, \.forgotten, .count)
        $0.member(.kept, \.kept, .count) { "Jobs under way, which stay." }
    }
}
