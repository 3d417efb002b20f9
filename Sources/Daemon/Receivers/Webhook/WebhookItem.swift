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
