/// What a page has in it, as a lister has said.
public struct ListerAnswer: Sendable {
    /// The items in their order, those that aren't wanted included.
    public var items: [ListedItem]
    /// What the page says besides.
    public var page: ListedPage

    /// A page's items, and what it says besides.
    public init(items: [ListedItem], page: ListedPage) {
        self.items = items
        self.page = page
    }
}
