/// Some items of a longer list.
public struct PageJSON<Item: APIObject>: APIObject {
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
    public static var shape: Shape<PageJSON> {
        Shape(
            Item.shape.name + "Page",
            [
                Member(CodingKeys.items, \.items),
                Member(CodingKeys.total, \.total, .integer(from: 0)),
                Member(CodingKeys.hasMore, \.hasMore),
                Member(CodingKeys.next, \.next),
            ]
        )
    }
}
