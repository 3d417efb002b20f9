extension Recipe {
    /// A sentence that says that so many items were listed, and none of them is wanted.
    public func wordsForLeftOut(_ count: Int) -> String {
        if kind == .feed, select == nil {
            let entries =
                count == 1 ? "the only entry has no picture" : "none of the \(count) entries has a picture"
            return "\(entries) of its own; if they have some elsewhere, say where in job.url"
        }
        return count == 1
            ? "the only item is left out by select" : "all \(count) items are left out by select"
    }
}
