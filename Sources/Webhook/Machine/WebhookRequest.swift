/// A request that a receiver has to take: some events, kept until it has.
public struct WebhookRequest: Hashable, Sendable {
    /// How many events it has at the most.
    public static let maximumCount = 100
    /// How many bytes it has at the most, unless one event alone has more.
    public static let maximumLength = 1 << 20

    /// Its name, the same for each try.
    public let id: String
    /// The number up to which it has everything.
    public let through: Int64
    /// How many endings it has.
    public let count: Int
    /// Its body, a batch of CloudEvents.
    public let body: [UInt8]

    /// A request as it was kept.
    init(id: String, through: Int64, count: Int, body: [UInt8]) {
        self.id = id
        self.through = through
        self.count = count
        self.body = body
    }

    /// A request of as many of these endings as it has room for; nil where there are none and nothing is missing.
    ///
    /// - Parameters:
    ///   - page: What ended behind the number `after`.
    ///   - source: Where events come from.
    ///   - id: The request's name.
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
        // A gap that nothing follows is told once, too.
        through = count == 0 ? max(after, page.oldest) : through
        self.init(
            id: id,
            through: through,
            count: count,
            body: [UInt8(ascii: "[")] + body + [UInt8(ascii: "]")]
        )
    }
}
