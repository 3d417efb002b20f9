/// A request with some events, kept until the receiver has accepted it.
public struct WebhookRequest: Hashable, Sendable {
    /// The most events in a request.
    public static let maximumCount = 100
    /// The most bytes in a request, unless a single event is longer.
    public static let maximumLength = 1 << 20

    /// The request's id, which stays the same for each try.
    public let id: String
    /// The number up to which it contains everything.
    public let through: Int64
    /// The number of endings in it.
    public let count: Int
    /// The body: a batch of CloudEvents.
    public let body: [UInt8]

    /// Creates a request from what was kept.
    init(id: String, through: Int64, count: Int, body: [UInt8]) {
        self.id = id
        self.through = through
        self.count = count
        self.body = body
    }

    /// Creates a request with as many endings as fit; nil if there are none, and none were forgotten.
    ///
    /// - Parameters:
    ///   - page: The endings after the number `after`.
    ///   - source: The `source` of the events.
    ///   - id: The request's id.
    init?(_ page: WebhookPage, after: Int64, source: String, id: String) {
        var body: [UInt8] = []
        if page.oldest > after {
            body += CloudEvent.gap(from: after, to: page.oldest, source: source)
        }
        var count = 0
        var through = after
        for item in page.items.prefix(Self.maximumCount - (body.isEmpty ? 0 : 1)) {
            let event = CloudEvent.job(item, source: source)
            guard count == 0 || body.count + event.count < Self.maximumLength else { break }
            if !body.isEmpty { body.append(UInt8(ascii: ",")) }
            body += event
            through = item.number
            count += 1
        }
        guard !body.isEmpty else { return nil }
        // A gap without endings after it is also reported only once.
        through = count == 0 ? max(after, page.oldest) : through
        self.init(
            id: id,
            through: through,
            count: count,
            body: [UInt8(ascii: "[")] + body + [UInt8(ascii: "]")]
        )
    }
}
