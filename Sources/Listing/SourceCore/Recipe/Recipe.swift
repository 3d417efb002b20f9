import Vocabulary

/// The description of a source: where its pages are, what their items are, and when to look again.
public struct Recipe: Hashable, Sendable {
    /// The name of the source.
    public var name: String
    /// The format of the pages.
    public var kind: PageKind = .json
    /// The first page's URL; `s3://BUCKET/PREFIX` for a bucket.
    public var url: URLTemplate
    /// The variables, in the order of the recipe.
    public var variables: [RecipeVariable] = []
    /// The header fields for requests to the source's own origin.
    public var headers: [RecipeHeader] = []
    /// The list of slices; nil if the source has none.
    public var slices: SliceRecipe?
    /// The request for a page; nil for GET.
    public var request: PostRecipe?
    /// The items of a page (jq); nil for the kind's default.
    public var items: String?
    /// The condition for an item to be wanted (jq).
    public var select: String?
    /// The rules that turn an item into a job.
    public var job = JobRecipe()
    /// The rule that finds the next page; nil for a source of one page.
    public var next: NextRule?
    /// The condition for another page (jq).
    public var more: String?
    /// The total number of items (jq).
    public var total: String?
    /// The order of the list.
    public var order: ListOrder = .unknown
    /// The extent of automatic reading.
    public var mode: WalkMode = .follow
    /// The most jobs that may be queued or downloading; for a lazy source, the number of items to list
    /// at a time.
    public var ahead = 500
    /// The seconds between walks; nil for never.
    public var every: Double?
    /// The seconds after which a list is read to its end even if its top is known; nil for never.
    public var fullEvery: Double? = 7 * 86_400
    /// The limits of one walk.
    public var limits = WalkLimits()
    /// The limit on requests for pages; nil for none.
    public var pace: SourcePace?
    /// The treatment of http: URLs; nil for that of the daemon.
    public var insecure: PlainHTTP?
    /// The priority of the source's jobs.
    public var priority = 0
    /// The source's weight beside other sources and batches of one priority.
    public var weight = 1
    /// The rule for fetching changed documents again.
    public var refresh: RefreshRule = .never
    /// The rule for removing documents to make room.
    public var keep: KeepRule = .all
    /// The queue that its items go to.
    public var queue: QueueRule = .daemon
    /// The access to the bucket; nil for other kinds.
    public var s3: S3Settings?
    /// The format of rows.
    public var table = TableFormat()
    /// True if names in XML have their prefixes.
    public var namespaces = false

    public init(name: String, url: URLTemplate) {
        self.name = name
        self.url = url
    }

    /// The names of the secrets that the recipe needs, each once.
    public var secrets: [String] {
        let all =
            variables.compactMap(\.secret) + headers.compactMap(\.secret)
            + [s3?.credentials?.secret].compactMap { $0 }
        return all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The variables that slices have, of both levels.
    public var sliceVariables: [SliceVariable] {
        (slices?.variables ?? []) + (slices?.slices?.variables ?? [])
    }

    /// True if a walk consists of one page, so that an unchanged page means an unchanged source.
    public var isOnePage: Bool {
        next == nil && slices == nil && kind != .s3 && kind != .sitemap && !kind.isStreamed
            && variables.allSatisfy { $0.slices == nil }
    }
}

/// The rules that turn an item into a job; all members are jq expressions evaluated on the item.
public struct JobRecipe: Hashable, Sendable {
    /// The picture's URL; nil for the kind's default.
    public var url: String?
    /// The expression for the item's identity; nil for the kind's default, mostly the URL.
    public var key: String?
    /// The document's name.
    public var name: String?
    /// The folder for the document.
    public var folder: String?
    /// The SHA-256 that the document must have.
    public var sha256: String?
    /// The job's priority.
    public var priority: String?
    /// An object of data to keep with the job.
    public var meta: String?

    /// Creates a rule with the kind's defaults.
    public init() {}
}

/// A rule for requests with POST.
public struct PostRecipe: Hashable, Sendable {
    /// The body, which is sent as JSON (jq, evaluated with `$next`).
    public var body: String

    public init(body: String) { self.body = body }
}

/// A rule to find the next page.
public enum NextRule: Hashable, Sendable {
    /// The header field Link with rel=next (RFC 8288).
    case link
    /// A jq expression.
    case expression(String)
}

/// The limits of one walk.
public struct WalkLimits: Hashable, Sendable {
    /// The number of pages.
    public var pages = 1000
    /// The number of items.
    public var items = 100_000
    /// The size of a page in bytes after decoding.
    public var pageBytes = 32 << 20
    /// The number of pages in a row with nothing new, after which the rest counts as known.
    public var knownPages = 2

    /// Creates the default limits.
    public init() {}
}

/// The format of rows.
public struct TableFormat: Hashable, Sendable {
    /// The delimiter of fields; nil for the kind's default.
    public var delimiter: UInt8?
    /// True if the first row names the columns.
    public var hasHeader = true
    /// The rule for quotes; nil for the kind's default.
    public var quote: QuoteRule?
    /// The encoding of the pages' text, whatever their server and they themselves say; nil to go by that.
    public var encoding: TextEncoding?

    /// Creates the format of a table whose first row names its columns.
    public init() {}
}

extension Recipe {
    /// A sentence that says that so many items were listed, and none of them is wanted.
    public func wordsForLeftOut(_ count: Int) -> String {
        if kind == .feed, select == nil {
            let entries =
                count == 1 ? "the only entry has no picture" : "none of the \(count) entries has a picture"
            return "\(entries) of its own; if they have some elsewhere, say where in job.url"
        }
        return count == 1
            ? "the only item is left out by select" : "all \(count) items are left out by select"
    }
}
