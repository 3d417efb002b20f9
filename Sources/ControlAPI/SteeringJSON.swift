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

    /// The members; `matched` is there where there was a filter.
    public static let shape = Shape<SteeredJSON>(
        "Steered",
        [
            Member(CodingKeys.changed, \.changed, .integer(from: 0)),
            Member(
                ifKnown: CodingKeys.matched,
                \.matched,
                .integer(from: 0),
                about: "How many jobs the filter lets through, in whatever state; absent without one."
            ),
        ]
    )
}

/// The request body for retrying a job.
public struct RetryRequest: APIObject {
    /// The new URL of the file; nil to keep the old one.
    public var url: String?

    public init(url: String?) { self.url = url }

    /// The single member, which may be left out or null.
    public static let shape = Shape<RetryRequest>(
        "RetryRequest",
        [Member(ifKnown: CodingKeys.url, \.url, .url.orNull)]
    )
}

/// The request body for looking for faces again.
public struct DetectRequest: APIObject {
    /// The engine to use; nil for the one in the daemon's settings.
    public var engine: APIWord<DetectionEngine>?

    public init(engine: APIWord<DetectionEngine>?) { self.engine = engine }

    /// The single member, which may be left out or null.
    public static let shape = Shape<DetectRequest>(
        "DetectRequest",
        [
            Member(
                ifKnown: CodingKeys.engine,
                \.engine,
                APIWord<DetectionEngine>.schema.orNull,
                about: "The engine to use; by default the one in the settings."
            )
        ]
    )
}

/// A change to a job.
public struct JobChange: APIObject {
    /// The new priority; higher goes first.
    public var priority: Int

    public init(priority: Int) { self.priority = priority }

    /// The single member.
    public static let shape = Shape<JobChange>(
        "JobChange",
        [Member(CodingKeys.priority, \.priority, .priority)]
    )
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

    /// The members, of which exactly one is given.
    public static let shape = Shape<ForgetRequest>(
        "ForgetRequest",
        about: "Exactly one of the three says which jobs are to be forgotten.",
        [
            Member(
                ifKnown: CodingKeys.ids,
                \.ids,
                .array(of: .id, from: idCount.lowerBound, to: idCount.upperBound)
            ),
            Member(ifKnown: CodingKeys.batch, \.batch, .id),
            Member(ifKnown: CodingKeys.endedBefore, \.endedBefore, .time),
        ]
    )
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

    /// The members, which are always present.
    public static let shape = Shape<ForgottenJSON>(
        "Forgotten",
        [
            Member(CodingKeys.forgotten, \.forgotten, .integer(from: 0)),
            Member(CodingKeys.kept, \.kept, .integer(from: 0), about: "Jobs under way, which stay."),
        ]
    )
}
