/// How a source is read: where its pages are, what their items are, and when to look again.
public struct Recipe: Hashable, Sendable {
    /// The name of the source.
    public var name: String
    /// What the pages are.
    public var kind: PageKind = .json
    /// The first page; for a bucket, `s3://BUCKET/PREFIX`.
    public var url: URLTemplate
    /// The variables, in the order of the recipe.
    public var variables: [RecipeVariable] = []
    /// Header fields for the source's own origin.
    public var headers: [RecipeHeader] = []
    /// The list of parts; nil where the source has none.
    public var slices: SliceRecipe?
    /// The items of a page (jq); nil takes those of the kind.
    public var items: String?
    /// Whether an item is wanted (jq).
    public var select: String?
    /// What becomes of an item.
    public var job = JobRecipe()
    /// How the next page is found; nil for a source of one page.
    public var next: NextRule?
    /// Whether there is another page (jq).
    public var more: String?
    /// How many items there are (jq).
    public var total: String?
    /// How the list is sorted.
    public var order: ListOrder = .unknown
    /// How far the source is read by itself.
    public var mode: WalkMode = .follow
    /// How many jobs may be queued or downloading; for a lazy source, how many items are listed.
    public var ahead = 500
    /// Seconds from one walk to the next; nil for never.
    public var every: Double?
    /// Seconds after which a list is read to its end although its top is known; nil for never.
    public var fullEvery: Double? = 7 * 86_400
    /// The bounds of one walk.
    public var limits = WalkLimits()
    /// The most requests for pages; nil for no limit.
    public var pace: Pace?
    /// What becomes of http: URLs; nil leaves that to the daemon.
    public var insecure: InsecurePolicy?
    /// The priority of the source's jobs.
    public var priority = 0
    /// Whether documents that have changed are fetched again.
    public var refresh: RefreshRule = .never
    /// Whether documents may give way.
    public var keep: KeepRule = .all
    /// How the bucket is reached; nil for other kinds.
    public var s3: S3Settings?
    /// How rows are read.
    public var table = TableFormat()

    /// A recipe with nothing but its first page.
    public init(name: String, url: URLTemplate) {
        self.name = name
        self.url = url
    }

    /// The names of the secrets that it needs, each once.
    public var secrets: [String] {
        let all =
            variables.compactMap(\.secret) + headers.compactMap(\.secret)
            + [s3?.credentials?.secret].compactMap { $0 }
        return all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Whether a walk is one page, so that its being unchanged says everything.
    public var isOnePage: Bool {
        next == nil && slices == nil && kind != .s3 && kind != .sitemap && !kind.isStreamed
            && variables.allSatisfy { $0.slices == nil }
    }
}

/// What becomes of an item; each is a jq expression that is given the item.
public struct JobRecipe: Hashable, Sendable {
    /// The picture's URL; nil takes the kind's.
    public var url: String?
    /// What the item is known by; nil takes the kind's, mostly the URL.
    public var key: String?
    /// The document's name.
    public var name: String?
    /// The SHA-256 that the document must have.
    public var sha256: String?
    /// The job's priority.
    public var priority: String?
    /// What is kept with the job: an expression that gives an object.
    public var meta: String?

    /// Nothing but what the kind has.
    public init() {}
}

/// How the next page is found.
public enum NextRule: Hashable, Sendable {
    /// By the header field Link with rel=next (RFC 8288).
    case link
    /// By a jq expression.
    case expression(String)
}

/// The bounds of one walk.
public struct WalkLimits: Hashable, Sendable {
    /// Pages.
    public var pages = 1000
    /// Items.
    public var items = 100_000
    /// Bytes of a page after decoding.
    public var pageBytes = 32 << 20
    /// Pages in a row with nothing new, after which the rest is taken as known.
    public var knownPages = 2

    /// The bounds that hold unless told otherwise.
    public init() {}
}

/// How rows are read.
public struct TableFormat: Hashable, Sendable {
    /// What stands between fields; nil takes the kind's.
    public var delimiter: UInt8?
    /// Whether the first row names the columns.
    public var hasHeader = true
    /// The encoding of the text.
    public var encoding: TextEncoding = .utf8

    /// A table in UTF-8 whose first row names its columns.
    public init() {}
}
