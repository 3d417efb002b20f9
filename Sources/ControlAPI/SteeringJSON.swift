/// What a post to steer all jobs answers.
public struct SteeredJSON: APIObject {
    /// How many jobs it changed.
    public var changed: Int

    /// How many jobs changed.
    public init(changed: Int) { self.changed = changed }

    /// One number.
    public static let shape = Shape<SteeredJSON>(
        "Steered",
        [Member(CodingKeys.changed, \.changed, .integer(from: 0))]
    )
}

/// What a post to try a job again may say.
public struct RetryRequest: APIObject {
    /// Where the file is now; nil leaves it where it was.
    public var url: String?

    /// A retry, from another URL where one is given.
    public init(url: String?) { self.url = url }

    /// The URL may be left out, or null.
    public static let shape = Shape<RetryRequest>(
        "RetryRequest",
        [Member(ifKnown: CodingKeys.url, \.url, .url.orNull)]
    )
}

/// What a post to look for faces again may say.
public struct DetectRequest: APIObject {
    /// Who is to look; nil for the engine of the daemon's settings.
    public var engine: APIWord<DetectionJSON.Engine>?

    /// Another look, by that engine where one is given.
    public init(engine: APIWord<DetectionJSON.Engine>?) { self.engine = engine }

    /// The engine may be left out, or null.
    public static let shape = Shape<DetectRequest>(
        "DetectRequest",
        [
            Member(
                ifKnown: CodingKeys.engine,
                \.engine,
                APIWord<DetectionJSON.Engine>.schema.orNull,
                about: "The engine that is to look; without it, that of the settings."
            )
        ]
    )
}

/// What is to be changed of a job.
public struct JobChange: APIObject {
    /// The new priority; higher goes first.
    public var priority: Int

    /// A new priority.
    public init(priority: Int) { self.priority = priority }

    /// One number.
    public static let shape = Shape<JobChange>(
        "JobChange",
        [Member(CodingKeys.priority, \.priority, .priority)]
    )
}
