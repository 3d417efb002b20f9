extension Recipe {
    /// True if the recipe itself counts where the next page is, as `{page: ($page + 1)}` does, instead of reading
    /// it in the page.
    ///
    /// Then an empty page, or one that the server doesn't have, is where the list ends. A page that is named by the
    /// one before can be empty and be followed by others, as Bluesky, MediaWiki and OneDrive do it.
    public var countsPages: Bool {
        if let body = request?.body, Self.counters.contains(where: { body.range(of: $0) != nil }) {
            return next != nil
        }
        guard case .expression(let expression)? = next else { return false }
        if Self.counters.contains(where: { expression.range(of: $0) != nil }) { return true }
        return expression.split(separator: "+", omittingEmptySubsequences: false).dropFirst().contains {
            rest in
            rest.first { $0 != " " }?.isNumber == true
        }
    }

    /// The values by which expressions count.
    private static let counters = ["$page", "$offset", "$count"]
}
