/// An item of a source that a fleet has, or is to have.
public struct HandedItemJSON: APIObject {
    /// The item's number; they ascend, and none is given twice.
    public var id: Int64
    /// The name of the source.
    public var source: String
    /// What is to be fetched.
    public var item: BatchRequest.Item

    public init(id: Int64, source: String, item: BatchRequest.Item) {
        (self.id, self.source, self.item) = (id, source, item)
    }

    public static let shape = Shape<HandedItemJSON>("HandedItem", CodingKeys.self) {
        $0.member(.id, \.id, .id) {
            "The item's number. They ascend, and none is given twice, whatever becomes of the store."
        }
        $0.member(.source, \.source) { "The name of the source." }
        $0.member(.item, \.item)
    }
}

/// The request body for taking back items that a fleet is done with.
public struct HandedItemsRequest: APIObject {
    /// The numbers of the items.
    public var ids: [Int64]

    public init(ids: [Int64]) { self.ids = ids }

    /// The members' names.
    public enum CodingKeys: String, CodingKey {
        case ids
    }

    /// The range of the number of items.
    public static let idCount = 1...1000

    public static let shape = Shape<HandedItemsRequest>("HandedItemsRequest", CodingKeys.self) {
        $0.member(.ids, \.ids, .array(of: .id, from: idCount.lowerBound, to: idCount.upperBound)) {
            "Those that aren't there count as taken back."
        }
    }
}

/// The answer to taking back items.
public struct HandedItemsJSON: APIObject {
    /// The number of items named.
    public var items: Int

    public init(items: Int) { self.items = items }

    public static let shape = Shape<HandedItemsJSON>("HandedItems", CodingKeys.self) {
        $0.member(.items, \.items, .count) { "How many were named." }
    }
}
