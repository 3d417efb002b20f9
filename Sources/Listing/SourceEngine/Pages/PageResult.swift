import SourceCore

/// The result of requesting a page.
enum PageResult: Sendable {
    /// It hasn't changed.
    case unchanged(SourceMachine.Response)
    /// A page of a list of slices.
    case slices(SliceList, SourceMachine.Response)
    /// A page of items.
    case page(PageContent, SourceMachine.Response)
    /// The bucket is in another region.
    case otherRegion(String)
    /// It couldn't be read.
    case failed(SourceFailure, retryAfter: Double?)
    /// The disk has no room for it, or the machine lacks something else, as the sentence says; that is no fault
    /// of the source.
    case noRoom(String)
    /// Nobody wants it any more.
    case cancelled
}

/// A line of the list of pages that were read, as it is stored.
public struct PageRecord: Codable, Sendable {
    /// The time of the request, in microseconds since 1970.
    public var time: Int64
    /// The URL, secrets unfilled.
    public var url: String
    /// The slice's key, where there is one.
    public var slice: String?
    /// The page's number in its slice.
    public var page: Int
    /// The server's status; nil where there was no answer.
    public var status: Int?
    /// Bytes of the body.
    public var bytes: Int64 = 0
    /// Items as they were listed, those that became jobs, and those that couldn't be read.
    public var items = 0
    public var new = 0
    public var bad = 0
    /// Milliseconds that asking and reading took.
    public var milliseconds = 0
    /// The code of what went wrong.
    public var error: String?
    /// A sentence for each thing that is odd in the page, and for each of the first items that couldn't be read.
    public var complaints: [String] = []
}
