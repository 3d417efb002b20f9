import FoundationEssentials

/// A report of a fault, as it is sent.
///
/// It says nothing about the machine or who uses it.
struct Report: Hashable, Sendable {
    /// The longest envelope in bytes.
    static let maximumLength = 8192

    /// The fault that happened.
    var fault: Fault
    /// The report's id, 32 hexadecimal digits, by which a receiver that gets it twice knows it.
    var id: String
    /// The time when it happened, in seconds of Unix time.
    var time: Double
    /// The number of such faults that were held back since the last report of one.
    var repeats: Int
    /// The version of this program.
    var version: String

    init(_ fault: Fault, id: String, time: Double, repeats: Int, version: String) {
        (self.fault, self.id, self.time) = (fault, id, time)
        (self.repeats, self.version) = (repeats, version)
    }

    /// The body of the request: a header, the header of its only item, and that: the event.
    ///
    /// It is nil if it can't be written, or gets too long.
    ///
    /// https://develop.sentry.dev/sdk/foundations/transport/envelopes/
    var envelope: [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let event = try? encoder.encode(Event(self)) else { return nil }
        let head = "{\"event_id\":\"\(id)\"}\n"
        let item = "{\"type\":\"event\",\"content_type\":\"application/json\",\"length\":\(event.count)}\n"
        let bytes = Array(head.utf8) + Array(item.utf8) + event + [0x0A]
        return bytes.count <= Self.maximumLength ? bytes : nil
    }

    /// The event (https://develop.sentry.dev/sdk/foundations/transport/event-payloads/).
    private struct Event: Encodable {
        struct Exceptions: Encodable { var values: [Exception] }
        struct Exception: Encodable { var type: String, value: String }
        struct Client: Encodable { var name: String, version: String }
        struct Extra: Encodable { var bytes: Int64?, repeats: Int }

        var id: String
        var timestamp: Double
        var platform = "other"
        var level: String
        var logger = "facefetchd"
        var release: String
        var fingerprint: [String]
        var exception: Exceptions
        var tags: [String: String]
        var extra: Extra
        var sdk: Client

        enum CodingKeys: String, CodingKey {
            case id = "event_id"
            case timestamp, platform, level, logger, release, fingerprint, exception, tags, extra, sdk
        }

        init(_ report: Report) {
            let fault = report.fault
            id = report.id
            // To the millisecond.
            timestamp = (report.time * 1000).rounded() / 1000
            level = fault.isFatal ? "fatal" : "error"
            release = "facefetch@" + report.version
            fingerprint = ["facefetch"] + fault.fingerprint
            exception = Exceptions(values: [Exception(type: fault.kind, value: fault.sentence)])
            tags = fault.tags
            extra = Extra(bytes: nil, repeats: report.repeats)
            if case .childEnded(_, _, let picture?) = fault { extra.bytes = picture.bytes }
            sdk = Client(name: "facefetch", version: report.version)
        }
    }
}
