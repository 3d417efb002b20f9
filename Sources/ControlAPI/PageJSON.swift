/// Some items of a longer list.
public struct PageJSON<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The items, by ascending id.
    public var items: [Item]
    /// How many there are, on all pages.
    public var total: Int
    /// True when more follow.
    public var hasMore: Bool
    /// Goes verbatim into `after` to get the next page; null at the end.
    public var next: String?

    enum CodingKeys: String, CodingKey {
        case items, total
        case hasMore = "has_more"
        case next
    }

    /// A page.
    public init(items: [Item], total: Int, hasMore: Bool, next: String?) {
        self.items = items
        self.total = total
        self.hasMore = hasMore
        self.next = next
    }

    /// Every key is always there.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(items, forKey: .items)
        try values.encode(total, forKey: .total)
        try values.encode(hasMore, forKey: .hasMore)
        try values.encode(next, forKey: .next)
    }
}
