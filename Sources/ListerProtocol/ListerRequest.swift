/// A page that a lister is asked to read.
public struct ListerRequest: Codable, Hashable, Sendable {
    /// Where in a long list to begin, and how many items to list.
    public struct Rows: Codable, Hashable, Sendable {
        /// Bytes before the first row, of the list as it is decoded.
        public var bytes: Int
        /// Lines before it.
        public var line: Int
        /// The names of the columns, from the answer before; nil at the beginning of the list.
        public var columns: [String]?
        /// After so many items the answer ends.
        public var most: Int

        /// Rows from a place in a list; all of it unless told otherwise.
        public init(bytes: Int = 0, line: Int = 0, columns: [String]? = nil, most: Int = .max) {
            self.bytes = bytes
            self.line = line
            self.columns = columns
            self.most = most
        }
    }

    /// Comes back with each part of the answer: a number that can't be guessed.
    public var id: UInt64
    /// The page's absolute path, in a folder that the lister was started with.
    public var path: String
    /// The page's own URL, secrets masked: `$url`.
    public var url: String
    /// `$page`.
    public var page: Int
    /// `$offset`.
    public var offset: Int
    /// The response's links by their relation: `$links`.
    public var links: [String: String]
    /// The response's header fields, names in lower case: `$headers`.
    public var headers: [String: String]
    /// The variables without secrets: `$vars`.
    public var variables: [String: String]
    /// Which rows, for kinds that are read row by row.
    public var rows: Rows

    /// Asks for a page.
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
