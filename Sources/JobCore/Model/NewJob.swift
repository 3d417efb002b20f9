/// A checked item of a batch that is about to be accepted.
public struct NewJob: Hashable, Sendable {
    /// Where the file comes from.
    public var url: JobURL
    /// The name asked for, already safe; nil derives one from the URL.
    public var name: String?
    /// The SHA-256 that the document must have, in lower-case hex.
    public var expectedSHA256: String?
    /// Higher goes first; −100 to 100.
    public var priority: Int
    /// Header fields to send along, to the URL's own scheme, host and port only.
    public var headers: [RequestHeader]
    /// The most bytes a second; nil for no limit of its own.
    public var rateLimit: Int64?

    /// An item of a batch.
    public init(
        url: JobURL,
        name: String? = nil,
        expectedSHA256: String? = nil,
        priority: Int = 0,
        headers: [RequestHeader] = [],
        rateLimit: Int64? = nil
    ) {
        self.url = url
        self.name = name
        self.expectedSHA256 = expectedSHA256
        self.priority = priority
        self.headers = headers
        self.rateLimit = rateLimit
    }
}
