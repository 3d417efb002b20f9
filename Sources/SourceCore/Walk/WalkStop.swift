/// Why a walk, or the walk of one slice, reads no further.
public enum WalkStop: String, Hashable, Sendable, Codable {
    /// The page said that there is no next.
    case lastPage = "last_page"
    /// `more` said no.
    case noMore = "no_more"
    /// The page was empty.
    case emptyPage = "empty_page"
    /// The page had the keys of the page before.
    case samePage = "same_page"
    /// The walk's bound of pages or items was reached.
    case limit
    /// Three pages had no key that was new to the walk.
    case noProgress = "no_progress"
    /// As many items were listed as the source says there are.
    case total
    /// What follows is known from a complete walk.
    case known
    /// The first page hasn't changed.
    case unchanged

    /// Whether the list was read as far as it is to be read: what isn't listed any more may be concluded from.
    public var isComplete: Bool {
        switch self {
        case .lastPage, .noMore, .emptyPage, .total, .known, .unchanged: true
        // A list whose last page comes again and again has been read to its end.
        case .samePage: true
        case .limit, .noProgress: false
        }
    }

    /// Whether all walks end with it, not that of one slice alone.
    var endsWalk: Bool { self == .limit }
}

/// What a walk does after a page.
public enum WalkStep: Hashable, Sendable {
    /// It asks for the page at its cursor.
    case page
    /// It has read this slice, and why; nil is the source itself. Its record is stored, and the next
    /// slice follows.
    case sliceDone(Slice?, WalkStop)
    /// It has ended.
    case done(WalkStop)
}
