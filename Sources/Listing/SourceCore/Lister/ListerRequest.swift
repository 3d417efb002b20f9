/// A request to read a page.
public struct ListerRequest: Codable, Hashable, Sendable {
    /// The part of a long list to read.
    public struct Rows: Codable, Hashable, Sendable {
        /// The offset of the first row in bytes of the decoded list.
        public var bytes: Int
        /// The number of lines before the first row.
        public var line: Int
        /// The names of the columns from the last answer; nil at the beginning of the list.
        public var columns: [String]?
        /// The most items in the answer.
        public var most: Int
        /// The delimiter that the list itself has given; nil if it hasn't.
        public var delimiter: UInt8?
        /// The encoding that was found at the beginning of the list; nil at the beginning.
        public var encoding: String?
        /// A place in a compressed list, at or before the first row, from which it can be decompressed; nil
        /// begins at the start.
        public var place: CompressedPlace?

        public init(
            bytes: Int = 0,
            line: Int = 0,
            columns: [String]? = nil,
            most: Int = .max,
            delimiter: UInt8? = nil,
            encoding: String? = nil,
            place: CompressedPlace? = nil
        ) {
            (self.delimiter, self.encoding) = (delimiter, encoding)
            self.bytes = bytes
            self.line = line
            self.columns = columns
            self.most = most
            self.place = place
        }

        /// The place from which the list is decompressed; nil for its start.
        public var usablePlace: CompressedPlace? { place.flatMap { $0.isPossible(before: bytes) ? $0 : nil } }
    }

    /// The id that each part of the answer repeats: a number that can't be guessed.
    public var id: UInt64
    /// The absolute path of the page, in a directory that the lister was started with.
    public var path: String
    /// The page's own URL with secrets masked, available as `$url`.
    public var url: String
    /// The page's number, available as `$page`.
    public var page: Int
    /// The number of items before the page, available as `$offset`.
    public var offset: Int
    /// The response's links by relation, available as `$links`.
    public var links: [String: String]
    /// The response's header fields with names in lower case, available as `$headers`.
    public var headers: [String: String]
    /// The variables without secrets, available as `$vars`.
    public var variables: [String: String]
    /// The rows to read, for kinds that are read row by row.
    public var rows: Rows
    /// True to make the body of a request, from a page that is what `next` gave, as JSON; nil means no.
    public var asksBody: Bool?

    public init(
        id: UInt64,
        path: String,
        url: String,
        page: Int = 1,
        offset: Int = 0,
        links: [String: String] = [:],
        headers: [String: String] = [:],
        variables: [String: String] = [:],
        rows: Rows = Rows()
    ) {
        self.id = id
        self.path = path
        self.url = url
        self.page = page
        self.offset = offset
        self.links = links
        self.headers = headers
        self.variables = variables
        self.rows = rows
    }
}

/// On whose behalf something is read: those who wait for readers get them in turns.
public enum ListerAsker: Hashable, Sendable {
    /// A source, by its number.
    case source(Int64)
    /// A user who waits for the answer; nil for one who isn't known.
    case user(UInt32?)
    /// The watched folder.
    case folder
    /// The daemon itself, for what its administrator has written.
    case daemon

    /// True if somebody waits for the answer.
    public var isPerson: Bool { if case .user = self { true } else { false } }
}
