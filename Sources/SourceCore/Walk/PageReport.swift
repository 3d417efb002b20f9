/// What a page had, after its items were looked up in the store.
public struct PageReport: Hashable, Sendable {
    /// What the page says of the next.
    public enum Next: Hashable, Sendable {
        /// Nothing: the source has one page.
        case absent
        /// There is none.
        case end
        /// It is at this URL, its secrets unfilled.
        case url(String)
        /// It is further on in a bucket.
        case bucket(S3Position)
        /// It is further on in the same list.
        case row(RowPosition)
    }

    /// Items as they were listed, before `select`, bad ones included.
    public var listed: Int
    /// Items that couldn't be read.
    public var bad: Int
    /// Items that are wanted.
    public var wanted: Int
    /// Wanted items whose keys the source didn't know.
    public var new: Int
    /// Listed items whose keys this walk hadn't met.
    public var newToWalk: Int
    /// The keys of all that was listed.
    public var fingerprint: PageFingerprint
    /// The next page.
    public var next: Next
    /// What `more` said; nil where the recipe has none.
    public var more: Bool?
    /// What `total` said; nil for unknown.
    public var total: Int?
    /// Sitemaps that the page names instead of items.
    public var children: [Slice]

    /// A page's report.
    public init(
        listed: Int,
        bad: Int = 0,
        wanted: Int? = nil,
        new: Int,
        newToWalk: Int,
        fingerprint: PageFingerprint,
        next: Next,
        more: Bool? = nil,
        total: Int? = nil,
        children: [Slice] = []
    ) {
        self.listed = listed
        self.bad = bad
        self.wanted = wanted ?? listed - bad
        self.new = new
        self.newToWalk = newToWalk
        self.fingerprint = fingerprint
        self.next = next
        self.more = more
        self.total = total
        self.children = children
    }
}
