/// Whether an unchanged page says anything, and so may be asked for conditionally.
public enum Conditions {
    /// Whether the page at a walk's cursor may be answered by 304, or be taken as unchanged by its bytes.
    ///
    /// That a first page hasn't changed says nothing of the pages behind it. It says enough where there
    /// are none; where it is the list of slices and says which slice has changed; where it is the first of
    /// a slice that was read to its end; and where new items come first and all were known.
    ///
    /// - Parameters:
    ///   - walk: the walk as it is.
    ///   - record: what is known of the slice.
    ///   - hasCompleted: whether any walk of the source was complete.
    public static func apply(
        _ walk: WalkState,
        recipe: Recipe,
        record: SliceRecord?,
        hasCompleted: Bool
    ) -> Bool {
        guard walk.cursor.place == .first, hasCompleted else { return false }
        if recipe.isOnePage || recipe.kind.isStreamed { return true }
        guard !walk.isFull else { return false }
        switch walk.part {
        case .manifest: return recipe.slices?.changed != nil
        case .pages(let slice?):
            // Children of an index, too.
            return record != nil
                && (recipe.slices != nil || slice.url != nil || recipe.next == nil || isNewestFirst(recipe))
        case .pages(nil):
            // Feeds and single sitemaps have one page where the recipe says no more of them.
            if recipe.next == nil, recipe.kind == .sitemap { return true }
            return isNewestFirst(recipe)
        }
    }

    private static func isNewestFirst(_ recipe: Recipe) -> Bool { recipe.order == .newestFirst }
}
