/// What a job has come to, as a webhook tells it.
public struct WebhookItem: Sendable {
    /// The number of the ending.
    public var number: Int64
    /// The ending's word: `done`.
    public var ending: String
    /// The job's id.
    public var job: Int64
    /// When the job ended, RFC 3339, where that is known.
    public var time: String?
    /// The job as the control socket has it, as JSON.
    public var json: [UInt8]

    /// An ending.
    public init(number: Int64, ending: String, job: Int64, time: String?, json: [UInt8]) {
        self.number = number
        self.ending = ending
        self.job = job
        self.time = time
        self.json = json
    }
}

/// What has ended behind a number.
public struct WebhookPage: Sendable {
    /// The endings, by ascending number.
    public var items: [WebhookItem]
    /// How many there are behind the number, on all pages.
    public var total: Int
    /// What ended up to this number may have been forgotten.
    public var oldest: Int64
    /// The number of what ended last, of all jobs.
    public var newest: Int64

    /// A page.
    public init(items: [WebhookItem], total: Int, oldest: Int64, newest: Int64) {
        self.items = items
        self.total = total
        self.oldest = oldest
        self.newest = newest
    }
}

/// Asks for what has ended behind a number: these endings, so many at the most.
public typealias WebhookSource =
    @Sendable (_ endings: [String], _ after: Int64, _ limit: Int) async throws -> WebhookPage
