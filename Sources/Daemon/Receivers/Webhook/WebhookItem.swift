/// An ending of a job, as reported by a webhook.
public struct WebhookItem: Sendable {
    /// The number of the ending.
    public var number: Int64
    /// The ending's word, such as `done`.
    public var ending: String
    /// The job's id.
    public var job: Int64
    /// The time when the job ended, in RFC 3339 format; nil if that isn't known.
    public var time: String?
    /// The job in JSON, as on the control socket.
    public var json: [UInt8]

    public init(number: Int64, ending: String, job: Int64, time: String?, json: [UInt8]) {
        self.number = number
        self.ending = ending
        self.job = job
        self.time = time
        self.json = json
    }
}

/// The endings after a number.
public struct WebhookPage: Sendable {
    /// The endings, by ascending number.
    public var items: [WebhookItem]
    /// The number of endings on all pages.
    public var total: Int
    /// The number up to which endings may have been forgotten.
    public var oldest: Int64
    /// The number of the latest ending of all.
    public var newest: Int64

    public init(items: [WebhookItem], total: Int, oldest: Int64, newest: Int64) {
        self.items = items
        self.total = total
        self.oldest = oldest
        self.newest = newest
    }
}

/// Returns endings of some kinds after a number, up to a limit.
public typealias WebhookSource =
    @Sendable (_ endings: [String], _ after: Int64, _ limit: Int) async throws -> WebhookPage
