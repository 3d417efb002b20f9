/// The position of a walk: the page to request next.
public struct Cursor: Hashable, Sendable, Codable {
    /// The place of a page.
    public enum Place: Hashable, Sendable, Codable {
        /// The first page of the source or slice.
        case first
        /// A URL without secrets (see ``Variables/unfilled(_:)``).
        case url(String)
        /// The body that follows, by the JSON that `next` gave, and a URL without secrets, if it is another than the
        /// recipe's.
        case post(url: String?, next: String)
        /// A position in a bucket's listing.
        case bucket(S3Position)
        /// A position in a list read row by row.
        case row(RowPosition)
    }

    /// The number of the page in its slice, from 1.
    public var page = 1
    /// The number of items listed in the slice before this page.
    public var offset = 0
    /// The place of the page.
    public var place = Place.first

    /// The cursor at the first page.
    public static let start = Cursor()

    public init(page: Int = 1, offset: Int = 0, place: Place = .first) {
        self.page = page
        self.offset = offset
        self.place = place
    }

    /// Returns the cursor at the next page, after a page with a number of items.
    func next(_ place: Place, after items: Int) -> Cursor {
        Cursor(page: page + 1, offset: offset + items, place: place)
    }
}

/// The position at which reading a long list continues.
public struct RowPosition: Hashable, Sendable, Codable {
    /// The offset of the row in bytes of the decoded list.
    public var bytes: Int
    /// The number of lines before the row.
    public var line: Int
    /// The names of the columns, which are only at the list's beginning.
    public var columns: [String]?
    /// The delimiter that the list's first line gives; nil if it gives none.
    public var delimiter: UInt8?
    /// The name of the encoding that was found at the list's beginning; nil where that isn't known.
    public var encoding: String?

    public init(
        bytes: Int,
        line: Int,
        columns: [String]? = nil,
        delimiter: UInt8? = nil,
        encoding: String? = nil
    ) {
        (self.delimiter, self.encoding) = (delimiter, encoding)
        self.bytes = bytes
        self.line = line
        self.columns = columns
    }
}
