/// One page of a longer list.
public struct PageJSON<Item: APIObject>: APIObject {
    /// The items in ascending order of id.
    public var items: [Item]
    /// The number of items on all pages; null if a text is searched for, since nobody has counted those.
    public var total: Int?
    /// True if more items follow.
    public var hasMore: Bool
    /// The value of `after` for the next page, to be passed verbatim; null at the end.
    public var next: String?
    /// In a list by `ended_after`: all endings of the kinds asked for with numbers above this one are kept.
    public var oldest: Int64?
    /// In a list by `ended_after`: the number of the latest ending of all, whatever was asked for.
    public var newest: Int64?

    enum CodingKeys: String, CodingKey {
        case items, total
        case hasMore = "has_more"
        case next, oldest, newest
    }

    public init(
        items: [Item],
        total: Int?,
        hasMore: Bool,
        next: String?,
        oldest: Int64? = nil,
        newest: Int64? = nil
    ) {
        self.items = items
        self.total = total
        self.hasMore = hasMore
        self.next = next
        self.oldest = oldest
        self.newest = newest
    }

    public static var shape: Shape<PageJSON> {
        Shape(Item.shape.name + "Page", CodingKeys.self) {
            $0.member(.items, \.items)
            $0.member(.total, \.total, .count.orNull) {
                "The number of items on all pages; null with q, since nobody has counted those."
            }
            $0.member(.hasMore, \.hasMore)
            $0.member(.next, \.next)
            $0.member(ifKnown: .oldest, \.oldest, .count) {
                "Only in a list by ended_after: of the endings asked for, all with a higher number are kept. Whoever "
                    + "asks with a lower one has missed what was forgotten. It is the same with any filter, as nobody "
                    + "knows whether that would have matched."
            }
            $0.member(ifKnown: .newest, \.newest, .count) {
                "Only in a list by ended_after: the number of the latest ending of all, whatever was asked for; 0 "
                    + "where there was none. Whoever wants what ends from now on begins with it, and whoever knows a "
                    + "higher one knows another store."
            }
        }
    }
}
