/// What a page says besides its items; the last part of an answer.
public struct ListedPage: Codable, Hashable, Sendable {
    /// Where the next page is.
    public enum Next: Codable, Hashable, Sendable {
        /// There is none.
        case end
        /// A URL, perhaps relative to the page's.
        case url(String)
        /// Parameters to replace in the page's query, in the order of their names; nil removes one.
        case query([Parameter])
        /// The rows that follow.
        case rows(ListerRequest.Rows)
    }

    /// A parameter of a query.
    public struct Parameter: Codable, Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Its value; nil removes it.
        public var value: String?

        /// A parameter.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// An item that couldn't be read.
    public struct BadItem: Codable, Hashable, Sendable {
        /// Which item of the page, from 1; for rows, the line.
        public var number: Int
        /// What is wrong with it, the field first.
        public var message: String

        /// A bad item.
        public init(number: Int, message: String) {
            self.number = number
            self.message = message
        }
    }

    /// A bucket's listing.
    public struct Bucket: Codable, Hashable, Sendable {
        /// `IsTruncated`.
        public var isTruncated = false
        /// `NextContinuationToken`.
        public var nextToken: String?
        /// `NextMarker`.
        public var nextMarker: String?
        /// Whether it is the first version of the listing.
        public var isFirstVersion = false
        /// The last key.
        public var lastKey: String?

        /// A listing that says nothing.
        public init() {}
    }

    /// A sitemap that an index names.
    public struct Child: Codable, Hashable, Sendable {
        /// Its URL.
        public var url: String
        /// When it was changed, as the index says it.
        public var changed: String?

        /// A sitemap.
        public init(url: String, changed: String?) {
            self.url = url
            self.changed = changed
        }
    }

    /// Items before `select`, bad ones included.
    public var listed = 0
    /// How many items couldn't be read.
    public var bad = 0
    /// The first of them.
    public var badItems: [BadItem] = []
    /// The next page; nil where the recipe has no `next`.
    public var next: Next?
    /// Whether there is another page; nil where the recipe has no `more`.
    public var more: Bool?
    /// How many items there are; nil for unknown.
    public var total: Int?
    /// What a bucket's page says.
    public var bucket: Bucket?
    /// What an index of sitemaps names.
    public var children: [Child] = []
    /// Seconds for which a feed asks not to be read again.
    public var ttl: Int?

    /// The most bad items that are named.
    public static let mostNamed = 20

    /// A page without items.
    public init() {}
}

/// Why a page couldn't be read; the last part of an answer, too.
public struct ListerFailure: Error, Codable, Hashable, Sendable {
    /// One of the codes of sources: `unexpected_type`, `unexpected_shape`, `too_large`, `reader_crashed`,
    /// `reader_timed_out`.
    public var code: String
    /// One sentence, without a full stop.
    public var message: String
    /// What the page, or the item, begins with.
    public var excerpt: String?
    /// `<Code>` of a bucket's error.
    public var bucketCode: String?
    /// `<Region>` of a bucket's error.
    public var region: String?

    /// The most bytes of an excerpt.
    public static let longestExcerpt = 200

    /// A failure.
    public init(_ code: String, _ message: String, excerpt: String? = nil) {
        self.code = code
        self.message = message
        self.excerpt = excerpt
    }
}
