import Vocabulary

/// A limit that a transfer keeps to with others of its host: where as many are under way, it waits for the next that ends.
///
/// So its request goes out in the same moment, and doesn't wait for a turn of the engine or a commit.
public struct TransferTurn: Hashable, Sendable {
    /// The host, named like ``JobURL/hostKey``.
    public var host: String
    /// The most transfers from there at once.
    public var most: Int

    public init(host: String, most: Int) { (self.host, self.most) = (host, most) }
}

/// How the requests to a host that answers many over each connection (HTTP/2) are spread over its connections.
public struct ConnectionSpread: Hashable, Sendable {
    /// The most connections.
    public var connections: Int
    /// The requests at once over each, before others are used.
    public var streams: Int

    /// Creates a spread over at most so many connections, each of which gets so many requests first.
    public init(connections: Int, streams: Int) { (self.connections, self.streams) = (connections, streams) }
}

/// A request to fetch a URL into a partial.
public struct TransferRequest: Hashable, Sendable {
    /// The job, which has at most one transfer at a time.
    public var job: JobID
    /// The URL as sent to the server, including credentials.
    public var url: JobURL
    /// The partial's absolute path.
    public var partialPath: String
    /// The point at which to resume; nil to fetch from the first byte.
    public var resume: ResumePoint?
    /// The job's own header fields, which go to the URL's scheme, host and port only.
    public var headers: [RequestHeader]
    /// The rate limit of this transfer in bytes per second; nil for no limit of its own.
    public var rateLimit: Int64?
    /// The source of the job, whose server may want more of a request than the job has; nil for none.
    public var source: String?
    /// The signature of the request; sent to the URL's own scheme, host and port only.
    public var signature: RequestSignature?
    /// True if a small body may stay in memory until it is whole.
    ///
    /// Only where there is no partial that an earlier attempt may have left.
    public var mayBuffer = false
    /// The host whose transfers it is one of, and the most of them at once; nil where they aren't limited.
    public var turn: TransferTurn?
    /// How it is spread with others of its host; nil where each connection is filled before the next one is used.
    public var spread: ConnectionSpread?
    /// True if the URL's path is an object's key, in which `..` is no step up but a part of the name.
    public var isObject = false

    public init(
        job: JobID,
        url: JobURL,
        partialPath: String,
        resume: ResumePoint?,
        headers: [RequestHeader] = [],
        rateLimit: Int64? = nil
    ) {
        self.job = job
        self.url = url
        self.partialPath = partialPath
        self.resume = resume
        self.headers = headers
        self.rateLimit = rateLimit
    }
}

/// The signature of a request to a bucket (AWS Signature Version 4).
///
/// It holds a secret: nothing of it is shown.
public struct RequestSignature: Hashable, Sendable, CustomStringConvertible {
    /// The region of the bucket's server, such as `eu-central-1`.
    public var region: String
    /// The public name of the key.
    public var keyID: String
    /// The key.
    public var key: String

    /// A signature by a key.
    public init(region: String, keyID: String, key: String) {
        self.region = region
        self.keyID = keyID
        self.key = key
    }

    /// The region alone.
    public var description: String { region }
}
