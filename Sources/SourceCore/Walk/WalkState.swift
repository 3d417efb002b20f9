/// A walk over a source, as it is stored with each page.
public struct WalkState: Hashable, Sendable, Codable {
    /// What a walk reads at present.
    public enum Part: Hashable, Sendable, Codable {
        /// The list of slices.
        case manifest
        /// A slice, or the source itself where it has none.
        case pages(Slice?)
    }

    /// From 1, growing with each poll.
    public var number: Int
    /// What is read.
    public var part: Part
    /// The page that is asked for next.
    public var cursor = Cursor.start
    /// Pages read.
    public var pages = 0
    /// Items listed.
    public var items = 0
    /// Items whose keys were known.
    public var known = 0
    /// Items that became jobs.
    public var new = 0
    /// Items that couldn't be read.
    public var bad = 0
    /// What the source says there is.
    public var total: Int?
    /// Whether nothing that is known may end it before its end.
    public var isFull: Bool
    /// Whether it was cut off and went on: what was inserted or deleted meanwhile has moved the pages.
    public var wasCutOff = false
    /// The keys of the page before, in this slice.
    public var lastPage: PageFingerprint?
    /// Items of the page before, in this slice.
    public var lastCount: Int?
    /// Pages in a row, in this slice, with nothing that was new to the walk.
    public var stalePages = 0
    /// Pages in a row, in this slice, with nothing that was new to the source.
    public var knownPages = 0
    /// Whether the page that is asked for next lies past the end that the total names.
    public var isBeyondTotal = false

    /// A walk at its beginning.
    public init(number: Int, part: Part, isFull: Bool) {
        self.number = number
        self.part = part
        self.isFull = isFull
    }

    /// The slice that is read; nil for the source itself, and for the list of slices.
    public var slice: Slice? { if case .pages(let slice) = part { slice } else { nil } }

    /// Begins to read something else, from its first page.
    mutating func begin(_ part: Part) {
        self.part = part
        cursor = .start
        lastPage = nil
        lastCount = nil
        stalePages = 0
        knownPages = 0
        isBeyondTotal = false
    }
}
