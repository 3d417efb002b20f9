/// A page of a source that was asked for.
public struct SourcePageJSON: APIObject {
    /// The time when the page was asked for (RFC 3339).
    public var time: String
    /// Its URL, with secrets unfilled.
    public var url: String
    /// The slice it belongs to; null if the source has none.
    public var slice: String?
    /// Its number in the slice, from 1.
    public var page: Int
    /// The server's status; null if there was no answer.
    public var status: Int?
    /// The size of the body in bytes.
    public var bytes: Int64
    /// The number of items listed, of those that became jobs, and of those that couldn't be read.
    public var items: Int
    public var new: Int
    public var bad: Int
    /// The seconds that it took.
    public var seconds: Double
    /// The code of what went wrong; null if nothing did.
    public var error: String?
    /// A sentence for each thing that is odd in the page, and for each of the first items that couldn't be read.
    public var complaints: [String]

    public init(
        time: String,
        url: String,
        slice: String?,
        page: Int,
        status: Int?,
        bytes: Int64,
        items: Int,
        new: Int,
        bad: Int,
        seconds: Double,
        error: String?,
        complaints: [String]
    ) {
        (self.time, self.url, self.slice, self.page) = (time, url, slice, page)
        (self.status, self.bytes, self.items, self.new) = (status, bytes, items, new)
        (self.bad, self.seconds, self.error, self.complaints) = (bad, seconds, error, complaints)
    }

    public static let shape = Shape<SourcePageJSON>("SourcePage", CodingKeys.self) {
        $0.member(.time, \.time, .time)
        $0.member(.url, \.url)
        $0.member(.slice, \.slice)
        $0.member(.page, \.page, .integer(from: 1))
        $0.member(.status, \.status)
        $0.member(.bytes, \.bytes, .count)
        $0.member(.items, \.items, .count)
        $0.member(.new, \.new, .count)
        $0.member(.bad, \.bad, .count)
        $0.member(.seconds, \.seconds, .number(from: 0))
        $0.member(.error, \.error)
        $0.member(.complaints, \.complaints)
    }
}

/// The result of trying a recipe on a page.
public struct SourceTrialJSON: APIObject {
    /// The URL of the page, with secrets unfilled.
    public var request: String
    /// The items that would become jobs.
    public var items: [Item]
    /// A sentence for each of the first items that can't be read.
    public var bad: [String]
    /// A sentence for each thing that is odd in the page, such as that all of its items are left out by `select`.
    public var notes: [String]
    /// The next page; null if there is none.
    public var next: String?
    /// True if there is another page; null if the recipe doesn't say.
    public var more: Bool?
    /// The number of items there are; null if the page doesn't say.
    public var total: Int?
    /// The sitemaps of an index, which are read in its place.
    public var sitemaps: [Sitemap]

    public init(
        request: String,
        items: [Item],
        bad: [String],
        notes: [String],
        next: String?,
        more: Bool?,
        total: Int?,
        sitemaps: [Sitemap]
    ) {
        (self.request, self.items, self.bad, self.notes) = (request, items, bad, notes)
        (self.next, self.more, self.total, self.sitemaps) = (next, more, total, sitemaps)
    }

    public static let shape = Shape<SourceTrialJSON>("SourceTrial", CodingKeys.self) {
        $0.member(.request, \.request)
        $0.member(.items, \.items)
        $0.member(.bad, \.bad)
        $0.member(.notes, \.notes)
        $0.member(.next, \.next)
        $0.member(.more, \.more)
        $0.member(.total, \.total)
        $0.member(.sitemaps, \.sitemaps)
    }

    /// A sitemap that an index names.
    public struct Sitemap: APIObject {
        /// The sitemap's URL.
        public var url: String
        /// The time when the sitemap was changed, as the index has it.
        public var changed: String?

        public init(url: String, changed: String?) { (self.url, self.changed) = (url, changed) }

        public static let shape = Shape<Sitemap>("SourceTrialSitemap", CodingKeys.self) {
            $0.member(.url, \.url)
            $0.member(.changed, \.changed)
        }
    }

    /// An item of a page.
    public struct Item: APIObject {
        /// The picture's URL.
        public var url: String
        /// The key of the item.
        public var key: String
        /// The document's name; null for the one in the URL.
        public var name: String?
        /// The SHA-256 that the document must have.
        public var sha256: String?
        /// The job's priority.
        public var priority: Int
        /// Facts that are kept with the job.
        public var meta: MetaJSON?

        public init(
            url: String,
            key: String,
            name: String?,
            sha256: String?,
            priority: Int,
            meta: MetaJSON?
        ) {
            (self.url, self.key, self.name) = (url, key, name)
            (self.sha256, self.priority, self.meta) = (sha256, priority, meta)
        }

        public static let shape = Shape<Item>("SourceTrialItem", CodingKeys.self) {
            $0.member(.url, \.url)
            $0.member(.key, \.key)
            $0.member(.name, \.name)
            $0.member(.sha256, \.sha256)
            $0.member(.priority, \.priority)
            $0.member(.meta, \.meta)
        }
    }
}

/// The request body for trying a recipe.
public struct SourceTrialRequest: APIObject {
    /// The recipe, YAML or JSON.
    public var recipe: String
    /// A page that was fetched before; null to ask for the first one.
    public var page: String?
    /// The head of the response with that page; null if it isn't needed.
    public var headers: String?

    public init(recipe: String, page: String?, headers: String? = nil) {
        (self.recipe, self.page, self.headers) = (recipe, page, headers)
    }

    public static let shape = Shape<SourceTrialRequest>("SourceTrialRequest", CodingKeys.self) {
        $0.member(.recipe, \.recipe) { "The recipe as text, YAML or JSON." }
        $0.member(ifKnown: .page, \.page, .string().orNull) { "A page instead of the first." }
        $0.member(ifKnown: .headers, \.headers, .string().orNull) {
            "The head of the response with that page, a header field a line."
        }
    }
}
