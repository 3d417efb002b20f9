import Vocabulary

/// Events as CloudEvents 1.0.2 in JSON (https://github.com/cloudevents/spec, JSON format §3).
enum CloudEvent {
    /// The content type of several events (JSON format §4).
    static let batchType = "application/cloudevents-batch+json; charset=utf-8"

    /// Returns the event for an ending of a job.
    static func job(_ item: WebhookItem, source: String) -> [UInt8] {
        var text = head(id: String(item.number), type: "facefetch.job." + item.ending, source: source)
        if let time = item.time { text += Array(",\"time\":\"\(time)\"".utf8) }
        text += Array(",\"subject\":\"\(JobID(item.job))\"".utf8)
        text += Array(",\"datacontenttype\":\"application/json\",\"data\":".utf8)
        text += item.json
        text.append(UInt8(ascii: "}"))
        return text
    }

    /// Returns the event for jobs that were forgotten before the receiver was told about them.
    static func gap(from: Int64, to: Int64, source: String) -> [UInt8] {
        head(id: "gap-\(to)", type: "facefetch.gap", source: source)
            + Array(
                ",\"datacontenttype\":\"application/json\",\"data\":{\"after\":\(from),\"through\":\(to)}}"
                    .utf8
            )
    }

    private static func head(id: String, type: String, source: String) -> [UInt8] {
        Array("{\"specversion\":\"1.0\",\"id\":\"\(id)\",\"source\":\"\(source)\",\"type\":\"\(type)\"".utf8)
    }
}

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

    /// Creates an ending; `json` is written into a request as it is, so it has to be an object of JSON.
    public init(number: Int64, ending: String, job: Int64, time: String?, json: [UInt8]) {
        self.number = number
        self.ending = ending
        self.job = job
        self.time = time
        self.json = json
    }
}
