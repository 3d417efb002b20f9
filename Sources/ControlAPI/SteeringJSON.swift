/// What a post to steer all jobs answers.
public struct SteeredJSON: Codable, Hashable, Sendable {
    /// How many jobs it changed.
    public var changed: Int

    /// How many jobs changed.
    public init(changed: Int) { self.changed = changed }
}

/// What a post to try a job again may say.
public struct RetryRequest: Codable, Hashable, Sendable {
    /// Where the file is now; nil leaves it where it was.
    public var url: String?

    /// A retry, from another URL where one is given.
    public init(url: String?) { self.url = url }
}

/// What a post to look for faces again may say.
public struct DetectRequest: Codable, Hashable, Sendable {
    /// Who is to look; nil for the engine of the daemon's settings.
    public var engine: APIWord<DetectionJSON.Engine>?

    /// Another look, by that engine where one is given.
    public init(engine: APIWord<DetectionJSON.Engine>?) { self.engine = engine }
}
