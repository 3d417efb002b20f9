/// The contents of a page apart from its items; the last part of an answer.
public struct ListedPage: Codable, Hashable, Sendable {
    /// The place of the next page.
    public enum Next: Codable, Hashable, Sendable {
        /// There is no next page.
        case end
        /// A URL, possibly relative to the page's.
        case url(String)
        /// Parameters to replace in the page's query, in order of their names; nil removes one.
        case query([Parameter])
        /// Anything else, as JSON, for the body of the next request.
        case value(String)
        /// The following rows.
        case rows(ListerRequest.Rows)
    }

    /// A query parameter.
    public struct Parameter: Codable, Hashable, Sendable {
        /// The parameter's name.
        public var name: String
        /// The parameter's value; nil removes it.
        public var value: String?

        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// An item that could not be read.
    public struct BadItem: Codable, Hashable, Sendable {
        /// The number of the item in the page, from 1; for rows, the line.
        public var number: Int
        /// The problem with the item, beginning with the field.
        public var message: String

        public init(number: Int, message: String) {
            self.number = number
            self.message = message
        }
    }

    /// A bucket's listing.
    public struct Bucket: Codable, Hashable, Sendable {
        /// The value of `IsTruncated`.
        public var isTruncated = false
        /// The value of `NextContinuationToken`.
        public var nextToken: String?
        /// The value of `NextMarker`.
        public var nextMarker: String?
        /// True if this is version 1 of the listing.
        public var isFirstVersion = false
        /// The last key.
        public var lastKey: String?

        /// Creates an empty listing.
        public init() {}
    }

    /// A sitemap listed by an index.
    public struct Child: Codable, Hashable, Sendable {
        /// The sitemap's URL.
        public var url: String
        /// The time when the sitemap was changed, as written in the index.
        public var changed: String?

        public init(url: String, changed: String?) {
            self.url = url
            self.changed = changed
        }
    }

    /// The number of items before `select`, including bad ones.
    public var listed = 0
    /// The number of items that could not be read.
    public var bad = 0
    /// The first bad items.
    public var badItems: [BadItem] = []
    /// The next page; nil if the recipe has no `next`.
    public var next: Next?
    /// True if there is another page; nil if the recipe has no `more`.
    public var more: Bool?
    /// The total number of items; nil if unknown.
    public var total: Int?
    /// The position data of a bucket's page.
    public var bucket: Bucket?
    /// The sitemaps listed by an index, which come in parts of their own.
    public var children: [Child] = []
    /// The seconds for which a feed asks not to be read again.
    public var ttl: Int?
    /// The body of a request as JSON, where that is what was asked for.
    public var body: String?
    /// Sentences about what is odd in the page, without being an error; nil if nothing is.
    public var notes: [String]?
    /// A sentence that says what was found in the page, for who tries a recipe; nil for kinds that need none.
    public var seen: String?

    /// The longest body of a request in bytes.
    public static let longestBody = 256 << 10
    /// The most bad items listed by number.
    public static let mostNamed = 20
    /// The most sitemaps of an index, of which the protocol (sitemaps.org) allows half.
    public static let mostChildren = 100_000

    /// Creates a page without items.
    public init() {}
}

/// The reason why a page could not be read, which also ends an answer.
public struct ListerFailure: Error, Codable, Hashable, Sendable {
    /// The failure's code: `unexpected_type`, `unexpected_shape`, `too_large`, `too_much_memory`,
    /// `reader_crashed` or `reader_timed_out`.
    public var code: String
    /// A sentence without a full stop.
    public var message: String
    /// The beginning of the page or the item.
    public var excerpt: String?
    /// The `<Code>` of a bucket's error.
    public var bucketCode: String?
    /// The `<Region>` of a bucket's error.
    public var region: String?
    /// The signal that ended the process which was reading the page, where one did.
    public var signal: Int32?

    /// The longest excerpt in bytes.
    public static let longestExcerpt = 200

    public init(_ code: String, _ message: String, excerpt: String? = nil) {
        self.code = code
        self.message = message
        self.excerpt = excerpt
    }
}

/// The contents of a page, as a lister has said.
public struct ListerAnswer: Sendable {
    /// The items in their order, those that aren't wanted included.
    public var items: [ListedItem]
    /// The page's other contents.
    public var page: ListedPage

    /// A page's items, and what it says besides.
    public init(items: [ListedItem], page: ListedPage) {
        self.items = items
        self.page = page
    }
}
