/// The items of a page as JSON, each written as it comes.
public struct WrittenItems<Item: APIObject>: Sendable {
    fileprivate var text = JSONText()

    /// Creates no items.
    public init() {}

    /// Writes an item behind those before it.
    public mutating func append(_ item: Item) {
        if !text.bytes.isEmpty { text.verbatim(",") }
        item.write(to: &text)
    }
}

extension PageJSON {
    /// Returns the page as JSON, with items that are written already instead of its own.
    public func json(with items: WrittenItems<Item>) -> [UInt8] {
        var text = JSONText(reserving: items.text.bytes.count + 200)
        write(to: &text) { $0.array(verbatim: items.text.bytes) }
        return text.bytes
    }

    /// Writes the members of ``shape`` in alphabetical order.
    public func write(to text: inout JSONText) {
        write(to: &text) { items.write(to: &$0) }
    }

    private func write(to text: inout JSONText, _ items: (inout JSONText) -> Void) {
        text.object { text in
            text.member("has_more", hasMore)
            text.name("items")
            items(&text)
            text.member(ifKnown: "newest", newest)
            text.member("next", next)
            text.member(ifKnown: "oldest", oldest)
            text.member("total", total)
        }
    }
}
