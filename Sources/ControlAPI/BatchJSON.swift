/// A batch, as the control socket shows it.
public struct BatchJSON: Codable, Hashable, Sendable, Identifiable {
    /// The batch's id, from 1.
    public var id: Int64
    /// When it was accepted, RFC 3339.
    public var createdAt: String
    /// Seconds since then.
    public var elapsed: Double
    /// The user id of who asked, where known.
    public var submittedBy: UInt32?
    /// How many jobs it has.
    public var jobCount: Int
    /// How many of them stand where: every state.
    public var states: JobCountsJSON
    /// The ids of its jobs, in the order of the items; only in the answer to a post and to a question for one batch.
    public var jobs: [Int64]?

    enum CodingKeys: String, CodingKey {
        case id
        case createdAt = "created_at"
        case elapsed
        case submittedBy = "submitted_by"
        case jobCount = "job_count"
        case states, jobs
    }

    /// A batch.
    public init(
        id: Int64,
        createdAt: String,
        elapsed: Double,
        submittedBy: UInt32?,
        jobCount: Int,
        states: JobCountsJSON,
        jobs: [Int64]? = nil
    ) {
        self.id = id
        self.createdAt = createdAt
        self.elapsed = elapsed
        self.submittedBy = submittedBy
        self.jobCount = jobCount
        self.states = states
        self.jobs = jobs
    }

    /// Every key but `jobs` is always there.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(createdAt, forKey: .createdAt)
        try values.encode(elapsed, forKey: .elapsed)
        try values.encode(submittedBy, forKey: .submittedBy)
        try values.encode(jobCount, forKey: .jobCount)
        try values.encode(states, forKey: .states)
        try values.encodeIfPresent(jobs, forKey: .jobs)
    }
}

/// What a post of a batch says.
public struct BatchRequest: Codable, Hashable, Sendable {
    /// 1 to 100,000 items.
    public var items: [Item]

    /// A batch to ask for.
    public init(items: [Item]) { self.items = items }

    /// One file to fetch.
    public struct Item: Codable, Hashable, Sendable {
        /// Where the file is: http or https.
        public var url: String
        /// The document's name, where the URL's own is not wanted.
        public var name: String?
        /// The SHA-256 that the document must have, in hex.
        public var sha256: String?
        /// Higher goes first; −100 to 100.
        public var priority: Int?
        /// Header fields to send along, value by name, to the URL's own scheme, host and port only.
        public var headers: [String: String]?
        /// The most bytes a second for this file.
        public var rateLimit: Int64?

        enum CodingKeys: String, CodingKey {
            case url, name, sha256, priority, headers
            case rateLimit = "rate_limit"
        }

        /// One file.
        public init(
            url: String,
            name: String? = nil,
            sha256: String? = nil,
            priority: Int? = nil,
            headers: [String: String]? = nil,
            rateLimit: Int64? = nil
        ) {
            self.url = url
            self.name = name
            self.sha256 = sha256
            self.priority = priority
            self.headers = headers
            self.rateLimit = rateLimit
        }
    }
}
