/// The answer to steering all jobs.
public struct SteeredJSON: APIObject {
    /// The number of jobs changed.
    public var changed: Int

    /// Creates an answer.
    public init(changed: Int) { self.changed = changed }

    /// The single member.
    public static let shape = Shape<SteeredJSON>(
        "Steered",
        [Member(CodingKeys.changed, \.changed, .integer(from: 0))]
    )
}

/// The request body for retrying a job.
public struct RetryRequest: APIObject {
    /// The new URL of the file; nil to keep the old one.
    public var url: String?

    /// Creates a request.
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
    public var engine: APIWord<DetectionJSON.Engine>?

    /// Creates a request.
    public init(engine: APIWord<DetectionJSON.Engine>?) { self.engine = engine }

    /// The single member, which may be left out or null.
    public static let shape = Shape<DetectRequest>(
        "DetectRequest",
        [
            Member(
                ifKnown: CodingKeys.engine,
                \.engine,
                APIWord<DetectionJSON.Engine>.schema.orNull,
                about: "The engine to use; by default the one in the settings."
            )
        ]
    )
}

/// A change to a job.
public struct JobChange: APIObject {
    /// The new priority; higher goes first.
    public var priority: Int

    /// Creates a change.
    public init(priority: Int) { self.priority = priority }

    /// The single member.
    public static let shape = Shape<JobChange>(
        "JobChange",
        [Member(CodingKeys.priority, \.priority, .priority)]
    )
}
