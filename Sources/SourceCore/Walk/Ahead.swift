/// How far a source reads ahead of what is wanted.
public enum Ahead {
    /// Whether a following source may ask for a page now.
    ///
    /// Only queued and downloading jobs count: a held gate or hosts that don't answer hold up no source.
    /// What the page before had is expected of the next, so that `ahead` isn't exceeded by a page; a page
    /// that is larger than `ahead` is read when nothing is left.
    ///
    /// - Parameters:
    ///   - unfinished: jobs of the source that are queued or downloading.
    ///   - expected: items of the page before; 0 before the first.
    public static func mayFollow(ahead: Int, unfinished: Int, expected: Int) -> Bool {
        unfinished == 0 || unfinished + expected <= ahead && unfinished < ahead
    }

    /// Whether a lazy source goes on by itself: until so many items were listed since somebody asked.
    ///
    /// - Parameters:
    ///   - listed: items since the start or the last `more`.
    ///   - pages: pages since then; one at least is read.
    public static func mayGoOn(ahead: Int, listed: Int, pages: Int) -> Bool { pages == 0 || listed < ahead }
}
