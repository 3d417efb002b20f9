import FoundationEssentials

/// A request with some events, kept until the receiver has accepted it.
struct WebhookRequest: Hashable, Sendable {
    /// The most events in a request.
    static let maximumCount = 100
    /// The most bytes in a request, unless a single event is longer.
    static let maximumLength = 1 << 20

    /// The request's id, which stays the same for each try.
    let id: String
    /// The number up to which it contains everything.
    let through: Int64
    /// The number of endings in it.
    let count: Int
    /// The number up to which it says that endings may have been forgotten; nil if it doesn't.
    let gap: Int64?
    /// The body: a batch of CloudEvents.
    let body: [UInt8]

    init(id: String, through: Int64, count: Int, gap: Int64?, body: [UInt8]) {
        self.id = id
        self.through = through
        self.count = count
        self.gap = gap
        self.body = body
    }

    /// The number of events in it.
    var eventCount: Int { count + (gap == nil ? 0 : 1) }

    /// A summary of its first event, for people: its type, the job, and the event's id.
    var firstEvent: String {
        struct Event: Decodable { var id, type: String, subject: String? }
        let events = try? JSONDecoder().decode([Event].self, from: Data(body))
        guard let event = events?.first else { return "an event" }
        return "\(event.type) of \(event.subject ?? "jobs that were forgotten") (event \(event.id))"
    }

    /// Creates a request that says only that everything up to a number may be missing.
    init(gapThrough number: Int64, source: String, id: String) {
        let event = CloudEvent.gap(from: 0, to: number, source: source)
        self.init(
            id: id,
            through: number,
            count: 0,
            gap: number,
            body: [UInt8(ascii: "[")] + event + [UInt8(ascii: "]")]
        )
    }

    /// Creates a request with as many endings as fit; nil if there are none, and none were forgotten.
    ///
    /// - Parameters:
    ///   - page: The endings after the number `after`.
    ///   - told: The number up to which the receiver was told of forgotten endings.
    ///   - most: The most events in it.
    ///   - source: The `source` of the events.
    ///   - id: The request's id.
    init?(
        _ page: FollowedPage<WebhookItem>,
        after: Int64,
        told: Int64,
        most: Int = maximumCount,
        source: String,
        id: String
    ) {
        var body: [UInt8] = []
        let known = max(after, told)
        let gap = page.oldest > known ? page.oldest : nil
        if let gap { body += CloudEvent.gap(from: known, to: gap, source: source) }
        var count = 0
        var last = after
        for item in page.items.prefix(most - (body.isEmpty ? 0 : 1)) {
            let event = CloudEvent.job(item, source: source)
            guard count == 0 || body.count + event.count < Self.maximumLength else { break }
            if !body.isEmpty { body.append(UInt8(ascii: ",")) }
            body += event
            last = item.number
            count += 1
        }
        guard !body.isEmpty else { return nil }
        self.init(
            id: id,
            // With the last of them the receiver has everything up to the latest number of all.
            through: count == page.total ? max(last, page.newest) : last,
            count: count,
            gap: gap,
            body: [UInt8(ascii: "[")] + body + [UInt8(ascii: "]")]
        )
    }
}
