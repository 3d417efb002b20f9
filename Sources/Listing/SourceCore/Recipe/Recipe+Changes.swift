/// The consequences of a changed recipe for its source's stored state.
extension Recipe {
    /// Returns whether another recipe is of the same list, so that the place reached in it still means
    /// something.
    ///
    /// It isn't if the URLs differ, or the texts that are put into them. A secret is another key to the
    /// same list, and a range that was changed adds or leaves out slices.
    public func isOfSameList(as other: Recipe) -> Bool {
        kind == other.kind && url == other.url && slices?.url == other.slices?.url
            && slices?.slices?.url == other.slices?.slices?.url
            && textsOfURLs == other.textsOfURLs
    }

    /// Returns whether another recipe reads the same from the same pages, so that an unchanged page still
    /// means that there is nothing new.
    public func readsTheSame(as other: Recipe) -> Bool {
        var like = other
        (like.mode, like.order, like.ahead, like.priority) = (mode, order, ahead, priority)
        (like.every, like.fullEvery, like.limits, like.pace) = (every, fullEvery, limits, pace)
        (like.refresh, like.keep, like.weight, like.queue) = (refresh, keep, weight, queue)
        return self == like
    }

    private var textsOfURLs: [String: String] {
        let names = Set(url.names + (slices?.url.names ?? []) + (slices?.slices?.url.names ?? []))
        let texts = variables.compactMap { variable in
            names.contains(variable.name) ? variable.plain.map { (variable.name, $0) } : nil
        }
        return Dictionary(texts) { first, _ in first }
    }
}
