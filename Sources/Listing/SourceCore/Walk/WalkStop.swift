/// The reason why a walk, or that of one slice, has ended.
public enum WalkStop: String, Hashable, Sendable, Codable {
    /// The page has no next page.
    case lastPage = "last_page"
    /// `more` was false.
    case noMore = "no_more"
    /// The page was empty, and none that the source names follows it.
    case emptyPage = "empty_page"
    /// The page had the same keys as those before, and no other can be expected to follow.
    case samePage = "same_page"
    /// The next page would be the first again.
    case firstPage = "first_page"
    /// The server has no page where the recipe has counted on (``WalkState/end``).
    case pastEnd = "past_end"
    /// The walk's limit on pages or items was reached.
    case limit
    /// Three pages in a row had no key new to the walk.
    case noProgress = "no_progress"
    /// The number of listed items has reached the source's total.
    case total
    /// The remaining items are known from a complete walk.
    case known
    /// The first page hasn't changed.
    case unchanged
    /// No row of a list could be read.
    case unreadable
    /// The server says that the source is gone.
    case gone
    /// The server says that the place at which the walk would go on is gone.
    case placeGone = "place_gone"
    /// Something that makes it useless to read the slice happened to it.
    case badSlice = "bad_slice"
    /// No slice could be read.
    case slicesFailed = "slices_failed"

    /// True if the list has been read as far as it should be, so that items no longer listed can be
    /// considered gone.
    public var isComplete: Bool {
        switch self {
        case .lastPage, .noMore, .emptyPage, .firstPage, .pastEnd, .total, .known, .unchanged: true
        // A list that repeats its last page has been read to its end.
        case .samePage: true
        case .limit, .noProgress, .unreadable, .gone, .placeGone, .badSlice, .slicesFailed: false
        }
    }

    /// True if it ends the whole walk, rather than that of one slice only.
    var endsWalk: Bool { self == .limit }
}

/// The next step of a walk.
public enum WalkStep: Hashable, Sendable {
    /// Request the page at the cursor.
    case page
    /// Store the record of this slice (nil for the source itself), which has been read, and go on with
    /// the next one.
    case sliceDone(Slice?, WalkStop)
    /// All slices that this one lists have been walked; store its record if that is whole, and go on.
    case listDone(Slice, isWhole: Bool, WalkStop)
    /// End the walk.
    case done(WalkStop)
}
