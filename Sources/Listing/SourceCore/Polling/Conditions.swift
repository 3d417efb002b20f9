/// Decides whether a page may be requested conditionally.
public enum Conditions {
    /// Returns whether an unchanged answer (304, or the same bytes) is meaningful for the page at a
    /// walk's cursor.
    ///
    /// An unchanged first page says nothing about the pages after it. It is meaningful if there are
    /// none, in the source or in a slice that was read to its end; if it is the list of slices and says
    /// which slice has changed; and if new items come first and all were known. It never is where documents
    /// that are gone are looked for.
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
        guard walk.cursor.place == .first, hasCompleted, !walk.fetchesMissing else { return false }
        if recipe.isOnePage || recipe.kind.isStreamed && !walk.part.isList { return true }
        guard !walk.isFull else { return false }
        // A bucket's pages need no rule for the next one.
        let hasOnePage = recipe.next == nil && recipe.kind != .s3
        switch walk.part {
        case .manifest: return recipe.slices?.changed != nil && recipe.slices?.next == nil
        case .list: return false
        // This includes the children of a sitemap index.
        case .pages(.some): return record != nil && (hasOnePage || isNewestFirst(recipe))
        // Feeds and single sitemaps have one page unless the recipe says otherwise.
        case .pages(nil): return hasOnePage && recipe.kind == .sitemap || isNewestFirst(recipe)
        }
    }

    private static func isNewestFirst(_ recipe: Recipe) -> Bool { recipe.order == .newestFirst }
}
