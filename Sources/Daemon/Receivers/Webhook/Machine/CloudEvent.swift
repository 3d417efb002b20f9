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
