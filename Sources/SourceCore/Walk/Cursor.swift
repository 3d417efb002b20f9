/// Where a walk is: the page that is asked for next.
public struct Cursor: Hashable, Sendable, Codable {
    /// Which page that is.
    public enum Place: Hashable, Sendable, Codable {
        /// The first of the source or slice.
        case first
        /// A URL, with its secrets unfilled (see ``Variables/unfilled(_:)``).
        case url(String)
        /// Further on in a bucket.
        case bucket(S3Position)
        /// Further on in a list that is read row by row.
        case row(RowPosition)
    }

    /// The page's number in its slice, from 1.
    public var page = 1
    /// Items of the slice before this page, as they were listed.
    public var offset = 0
    /// Which page it is.
    public var place = Place.first

    /// The first page.
    public static let start = Cursor()

    /// A cursor at a place.
    public init(page: Int = 1, offset: Int = 0, place: Place = .first) {
        self.page = page
        self.offset = offset
        self.place = place
    }

    /// The page after one of so many items.
    func next(_ place: Place, after items: Int) -> Cursor {
        Cursor(page: page + 1, offset: offset + items, place: place)
    }
}

/// Where the reading of a long list goes on.
public struct RowPosition: Hashable, Sendable, Codable {
    /// Bytes before the row, of the list as it is decoded.
    public var bytes: Int
    /// Lines before it.
    public var line: Int
    /// The names of the columns, which stand at the list's beginning only.
    public var columns: [String]?

    /// A place in a list.
    public init(bytes: Int, line: Int, columns: [String]? = nil) {
        self.bytes = bytes
        self.line = line
        self.columns = columns
    }
}
