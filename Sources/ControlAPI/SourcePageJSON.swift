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

    /// The members, which are always present.
    public static let shape = Shape<SourcePageJSON>(
        "SourcePage",
        [
            Member(CodingKeys.time, \.time, .time),
            Member(CodingKeys.url, \.url),
            Member(CodingKeys.slice, \.slice),
            Member(CodingKeys.page, \.page, .integer(from: 1)),
            Member(CodingKeys.status, \.status),
            Member(CodingKeys.bytes, \.bytes, .integer(from: 0)),
            Member(CodingKeys.items, \.items, .integer(from: 0)),
            Member(CodingKeys.new, \.new, .integer(from: 0)),
            Member(CodingKeys.bad, \.bad, .integer(from: 0)),
            Member(CodingKeys.seconds, \.seconds, .number(from: 0)),
            Member(CodingKeys.error, \.error),
            Member(CodingKeys.complaints, \.complaints),
        ]
    )
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

    /// The members, which are always present.
    public static let shape = Shape<SourceTrialJSON>(
        "SourceTrial",
        [
            Member(CodingKeys.request, \.request), Member(CodingKeys.items, \.items),
            Member(CodingKeys.bad, \.bad), Member(CodingKeys.notes, \.notes),
            Member(CodingKeys.next, \.next),
            Member(CodingKeys.more, \.more), Member(CodingKeys.total, \.total),
            Member(CodingKeys.sitemaps, \.sitemaps),
        ]
    )

    /// A sitemap that an index names.
    public struct Sitemap: APIObject {
        /// The sitemap's URL.
        public var url: String
        /// The time when the sitemap was changed, as the index has it.
        public var changed: String?

        public init(url: String, changed: String?) { (self.url, self.changed) = (url, changed) }

        /// The members, which are always present.
        public static let shape = Shape<Sitemap>(
            "SourceTrialSitemap",
            [Member(CodingKeys.url, \.url), Member(CodingKeys.changed, \.changed)]
        )
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

        /// The members, which are always present.
        public static let shape = Shape<Item>(
            "SourceTrialItem",
            [
                Member(CodingKeys.url, \.url), Member(CodingKeys.key, \.key),
                Member(CodingKeys.name, \.name), Member(CodingKeys.sha256, \.sha256),
                Member(CodingKeys.priority, \.priority), Member(CodingKeys.meta, \.meta),
            ]
        )
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

    /// The members.
    public static let shape = Shape<SourceTrialRequest>(
        "SourceTrialRequest",
        [
            Member(CodingKeys.recipe, \.recipe, about: "The recipe as text, YAML or JSON."),
            Member(ifKnown: CodingKeys.page, \.page, .string().orNull, about: "A page instead of the first."),
            Member(
                ifKnown: CodingKeys.headers,
                \.headers,
                .string().orNull,
                about: "The head of the response with that page, a header field a line."
            ),
        ]
    )
}
