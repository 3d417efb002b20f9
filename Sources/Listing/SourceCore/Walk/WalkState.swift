/// The state of a walk over a source, stored with each page.
public struct WalkState: Hashable, Sendable, Codable {
    /// The part of a source that a walk is reading.
    public enum Part: Hashable, Sendable, Codable {
        /// The list of slices.
        case manifest
        /// The list of slices that a slice has of its own.
        case list(of: Slice)
        /// A slice, or the source itself if it has no slices.
        case pages(Slice?)

        /// True if slices are listed rather than items.
        public var isList: Bool { if case .pages = self { false } else { true } }

        /// The slice that it belongs to; nil for the source itself.
        public var slice: Slice? {
            switch self {
            case .manifest: nil
            case .list(let slice): slice
            case .pages(let slice): slice
            }
        }
    }

    /// The walk's number, increasing from 1 with each poll.
    public var number: Int
    /// The part being read.
    public var part: Part
    /// The page to request next.
    public var cursor = Cursor.start
    /// The number of pages read.
    public var pages = 0
    /// The number of items listed.
    public var items = 0
    /// The number of items with known keys.
    public var known = 0
    /// The number of items that became jobs.
    public var new = 0
    /// The number of items that could not be read.
    public var bad = 0
    /// The problem of the first of those; nil if there is none.
    public var complaint: String?
    /// The total number of items, according to the source.
    public var total: Int?
    /// True if known items may not end the walk early.
    public var isFull: Bool
    /// True if items are fetched again whose documents are gone.
    public var fetchesMissing = false
    /// True if the walk only looks for new items in front of a list.
    public var isLook = false
    /// The number of the walk since which each slice is read again, whether it has changed or not; nil if
    /// only changed ones are.
    public var rereadsBefore: Int?
    /// True if the walk was cut off and continued, so that pages may have shifted meanwhile.
    public var wasCutOff = false
    /// The fingerprint of the last page in this slice.
    public var lastPage: PageFingerprint?
    /// The number of items on the last page in this slice.
    public var lastCount: Int?
    /// The number of pages in a row, in this slice, without anything new to the walk.
    public var stalePages = 0
    /// The number of pages in a row, in this slice, without anything new to the source.
    public var knownPages = 0
    /// True if the next page lies beyond the end given by the total.
    public var isBeyondTotal = false
    /// The URL of the first page in this slice, without secrets; nil where it isn't known.
    public var firstURL: String?
    /// The answer that was taken for the end of a list; nil if there was none.
    public var end: ListEnd?
    /// The slices of the walk that could not be read; nil if there are none.
    public var badSlices: BadSlices?
    /// The number of slices that were read to their end, or are known to be unchanged.
    public var goodSlices = 0
    /// The page of the list of slices that those at hand are from; nil before the first is read.
    public var list: Cursor?
    /// The slice whose own list that is; nil if it is the source's.
    public var parent: Slice?
    /// The page of the source's list that the parent is from; nil before the first is read, or without parents.
    public var parents: Cursor?
    /// True if not all slices of the parent could be read to their end.
    public var parentHasGap = false

    public init(number: Int, part: Part, isFull: Bool) {
        self.number = number
        self.part = part
        self.isFull = isFull
    }

    /// The slice being read, or whose list is; nil for the source itself and for its list of slices.
    public var slice: Slice? { part.slice }

    /// Begins to read another part from its first page.
    mutating func begin(_ part: Part) {
        self.part = part
        cursor = .start
        lastPage = nil
        lastCount = nil
        stalePages = 0
        knownPages = 0
        isBeyondTotal = false
        firstURL = nil
    }
}
