/// The contents of a page, as a lister has said.
public struct ListerAnswer: Sendable {
    /// The items in their order, those that aren't wanted included.
    public var items: [ListedItem]
    /// The page's other contents.
    public var page: ListedPage

    /// A page's items, and what it says besides.
    public init(items: [ListedItem], page: ListedPage) {
        self.items = items
        self.page = page
    }
}
