/// Decides how far a source reads ahead of what is needed.
public enum Ahead {
    /// Returns whether a source in mode `follow` may request a page now.
    ///
    /// Only queued and downloading jobs count, so a held gate or unresponsive hosts don't hold up a
    /// source. The next page is expected to have as many items as the last, so that a page doesn't
    /// exceed `ahead`; a page larger than `ahead` is read when nothing else is left.
    ///
    /// - Parameters:
    ///   - unfinished: the source's jobs that are queued or downloading.
    ///   - expected: the items of the last page; 0 before the first.
    public static func mayFollow(ahead: Int, unfinished: Int, expected: Int) -> Bool {
        unfinished == 0 || unfinished + expected <= ahead && unfinished < ahead
    }

    /// Returns whether a lazy source goes on by itself, which it does until `ahead` items have been
    /// listed since someone asked.
    ///
    /// - Parameters:
    ///   - listed: the items since the start or the last `more`.
    ///   - pages: the pages since then; at least one is read.
    public static func mayGoOn(ahead: Int, listed: Int, pages: Int) -> Bool { pages == 0 || listed < ahead }
}
