/// Decides whether a page may be requested conditionally.
public enum Conditions {
    /// Returns whether an unchanged answer (304, or the same bytes) is meaningful for the page at a
    /// walk's cursor.
    ///
    /// An unchanged first page says nothing about the pages after it. It is meaningful if there are
    /// none; if it is the list of slices and says which slice has changed; if it is the first page of a
    /// slice that was read to its end; and if new items come first and all were known. It never is where
    /// documents that are gone are looked for.
    ///
    /// - Parameters:
    ///   - walk: the state of the walk.
    ///   - record: what is known about the slice.
    ///   - hasCompleted: whether any walk of the source was complete.
    public static func apply(
        _ walk: WalkState,
        recipe: Recipe,
        record: SliceRecord?,
        hasCompleted: Bool
    ) -> Bool {
        guard walk.cursor.place == .first, hasCompleted, walk.fetchesMissing != true else { return false }
        if recipe.isOnePage || recipe.kind.isStreamed { return true }
        guard !walk.isFull else { return false }
        switch walk.part {
        case .manifest: return recipe.slices?.changed != nil
        case .pages(let slice?):
            // This includes the children of a sitemap index.
            return record != nil
                && (recipe.slices != nil || slice.url != nil || recipe.next == nil || isNewestFirst(recipe))
        case .pages(nil):
            // Feeds and single sitemaps have one page unless the recipe says otherwise.
            if recipe.next == nil, recipe.kind == .sitemap { return true }
            return isNewestFirst(recipe)
        }
    }

    private static func isNewestFirst(_ recipe: Recipe) -> Bool { recipe.order == .newestFirst }
}
