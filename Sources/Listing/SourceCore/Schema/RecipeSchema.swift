/// All fields that a recipe may have, in the order of the manual.
///
/// The reader of recipes refuses any other name, and `facefetch-source(5)` is generated from this.
public enum RecipeSchema {
    private static let jq = "a jq expression"

    /// The fields, with each section before its contents.
    public static let fields: [RecipeField] = general + pages + items + going + queue + s3 + tables

    /// Returns the names in a section.
    static func names(in section: String) -> [String] {
        fields.filter { $0.section == section }.map(\.name)
    }

    private static let general: [RecipeField] = [
        .init(
            "name",
            "a word of letters, digits, dots, dashes and underscores, at most 63",
            nil,
            "The name of the source, by which commands and the API know it."
        ),
        .init(
            "kind",
            "one of \(PageKind.allCases.map(\.rawValue).joined(separator: ", "))",
            "json",
            "The format of the pages. html is a page as people see it, and the index of a directory, too; autoindex is "
                + "such an index as JSON."
        ),
        .init(
            "url",
            "a URL, which may have {variables}",
            nil,
            "The first page: http, https, or s3://BUCKET/PREFIX for kind s3. Variables are percent-encoded "
                + "when filled in, except for one that the URL begins with."
        ),
        .init(
            "vars",
            "a mapping of names to values",
            nil,
            "The variables of url, headers and slices. A value is a text or a number; a list of those, for each of "
                + "which the source is walked once; or a mapping with one of secret, range and choices."
        ),
        .init(
            "vars.NAME.secret",
            "the name of a secret",
            nil,
            "The value is in the secrets' directory, and read when it is used."
        ),
        .init(
            "vars.NAME.range",
            "two numbers with a dash between, such as 100-105",
            nil,
            "The source is walked once for each number. The first may be the higher one, and leading zeros stay."
        ),
        .init(
            "vars.NAME.choices",
            "a list of texts or numbers",
            nil,
            "The values that there are to choose from."
        ),
        .init(
            "vars.NAME.default",
            "a text or a number",
            "the first of choices",
            "The choice, or the value where there is no such secret."
        ),
        .init(
            "headers",
            "a mapping of header fields to values",
            nil,
            "Header fields for requests to the source's own origin, and to no other. A value is a text, which "
                + "may have {variables}, or {secret: NAME}. A field with a variable of slices, or of a range, is sent for "
                + "the pages of these alone, not for the list of slices or for pictures. A secret, here or in a URL, is "
                + "sent to the server that url names by itself, and to no other."
        ),
    ]

    private static let pages: [RecipeField] = [
        .init("slices", "a mapping", nil, "A list of parts, each of which is walked by itself."),
        .init("slices.url", "a URL, which may have {variables}", nil, "The page that lists the parts."),
        .init("slices.each", jq, nil, "The parts, as a stream or one array."),
        .init("slices.key", jq, ".", "What identifies a part."),
        .init(
            "slices.changed",
            jq,
            nil,
            "A value that changes whenever the part does: a part whose value is the same as at its last complete "
                + "walk is skipped. Without it, every part is walked each time."
        ),
        .init(
            "slices.vars",
            "a mapping of names to jq expressions",
            nil,
            "Variables for the pages of a part; they take precedence over those of vars."
        ),
        .init(
            "slices.order",
            "listed or reversed",
            "listed",
            "Which part comes first, of those that stand on a page of the list."
        ),
        .init(
            "slices.next",
            "a jq expression, or the word link",
            "one page only",
            "The next page of the list, as in next. It is read once the parts that are on this page have been walked."
        ),
        .init(
            "slices.slices",
            "a mapping",
            nil,
            "A list that each part has of its own: its parts are walked, with the variables of both. Such parts are known "
                + "by both keys, as in collection > manifest."
        ),
        .init(
            "slices.slices.url",
            "a URL, which may have {variables}",
            nil,
            "The page that lists the parts of a part."
        ),
        .init("slices.slices.each", jq, nil, "The parts of a part, as in slices.each."),
        .init("slices.slices.key", jq, ".", "What identifies a part within its part."),
        .init("slices.slices.changed", jq, nil, "A value that changes whenever it does."),
        .init(
            "slices.slices.vars",
            "a mapping of names to jq expressions",
            nil,
            "Variables, which take precedence over those of slices.vars."
        ),
        .init("slices.slices.order", "listed or reversed", "listed", "Which comes first."),
        .init(
            "slices.slices.next",
            "a jq expression, or the word link",
            "one page only",
            "The next page of that list."
        ),
        .init(
            "next",
            "a jq expression, or the word link",
            "one page only",
            "The next page: null or false is the end, a text is a URL relative to the page's, an object "
                + "replaces parameters of the page's own query (null removes one, and nothing but nulls is the end). link "
                + "goes by the header field Link with rel=next (RFC 8288), or else by such a link of the page's own, in a feed (RFC 5005) or in HTML (link and a)."
        ),
        .init("request", "a mapping", nil, "How pages are asked for; a list of slices always is with GET."),
        .init("request.method", "GET or POST", "POST where there is a body, else GET", "The method."),
        .init(
            "request.body",
            jq,
            nil,
            "The body, which is sent as JSON. It sees $vars, $page, $offset and $next: what next gave, null for the first "
                + "page. A text from next is the URL that the next body goes to, anything else is $next, and {} is the end."
        ),
        .init("more", jq, nil, "Whether there is another page; 0 and 1 also work."),
        .init("total", jq, nil, "How many items there are, for progress; null is unknown."),
    ]

    private static let items: [RecipeField] = [
        .init(
            "items",
            jq,
            "the kind's default",
            "The items of a page, as a stream or one array. Kinds json and xml need it. For other kinds the page is "
                + "{items: […]} (feed), {urls: […]} (sitemap), {objects: […]} (s3), {images: […], links: […], …} (html), or "
                + "the row itself. Without this, the items of html are all images."
        ),
        .init(
            "select",
            jq,
            "true",
            "Whether an item is wanted. A feed's items without a picture aren't, unless job.url says where theirs is."
        ),
        .init("job", "a mapping", nil, "How an item becomes a job; the expressions see the item."),
        .init(
            "job.url",
            jq,
            "the kind's default",
            "The picture's URL, relative to the page's. Kinds json and xml need it."
        ),
        .init(
            "job.key",
            jq,
            "the URL; a feed's guid or id; an object's key and ETag",
            "What identifies the item: an item with a known key isn't fetched again."
        ),
        .init("job.name", jq, "from the URL", "The document's name."),
        .init(
            "job.folder",
            jq,
            "that of documents.layout",
            "The folder for the document, in the documents directory, such as \"portraits/\\(.year)\": at most 8 "
                + "levels. What can't be in a name is replaced; a path that leads elsewhere, such as one with .., "
                + "refuses the item."
        ),
        .init("job.sha256", jq, nil, "The SHA-256 that the document must have."),
        .init("job.priority", jq, "the source's", "The job's priority, from -100 to 100."),
        .init(
            "job.meta",
            "a jq expression that gives an object, or a mapping of names to jq expressions",
            nil,
            "Data to keep with the job, at most 4 KiB as JSON."
        ),
    ]

    private static let going: [RecipeField] = [
        .init(
            "order",
            "unknown or newest-first",
            "unknown",
            "How the list is sorted. A list whose newest items come first need not be read past what is known."
        ),
        .init(
            "mode",
            "follow or lazy",
            "follow",
            "Whether the source is read to its end automatically, or only as far as someone asks for. The "
                + "front of a lazy list without slices is looked at for new items as often as every says."
        ),
        .init(
            "ahead",
            "a number from 1 to 10000000",
            "500",
            "How many jobs of the source may be queued or downloading; a lazy source lists as many items at a time."
        ),
        .init(
            "every",
            "a time such as 6h, or never",
            "6h, never for csv, tsv, jsonl and lines",
            "How long after a walk the next begins; at least a minute."
        ),
        .init(
            "full_every",
            "a time such as 7d, or never",
            "7d",
            "How often a list is read to its end even if it could stop at what is known."
        ),
        .init("limits", "a mapping", nil, "Limits of one walk."),
        .init("limits.pages", "a number from 1 to 1000000", "1000", "Pages."),
        .init(
            "limits.items",
            "a number from 1 to 100000000",
            "100000, 10000000 for csv, tsv, jsonl and lines",
            "Items. Lists in rows are read so far exactly, others to the end of the page in which it is reached."
        ),
        .init(
            "limits.page_bytes",
            "a size such as 32 MiB, at most 256 MiB",
            "32 MiB",
            "Bytes of a page after decoding; csv, tsv, jsonl and lines have no limit because they are read in pieces."
        ),
        .init(
            "limits.known_pages",
            "a number from 1 to 1000",
            "2",
            "Pages in a row with nothing new after which the rest of a newest-first list is taken as known."
        ),
        .init(
            "pace",
            "a number of requests per time, such as 30/h",
            "no limit",
            "The most requests for pages. They don't count towards the pace that the settings have for a host (transfer.pace, hosts), which is that of files."
        ),
        .init(
            "insecure",
            "allow, upgrade or refuse",
            "transfer.insecure-http",
            "What happens to http: URLs."
        ),
        .init("priority", "a number from -100 to 100", "0", "The priority of the source's jobs."),
        .init(
            "weight",
            "a number from 1 to 1000",
            "1",
            "The source's share beside other sources and batches of one priority: with 2 it gets twice the bytes of "
                + "one with 1. It holds for jobs that are made from then on."
        ),
        .init(
            "refresh",
            "never or if-changed",
            "never",
            "Whether pictures that have changed are fetched again. With each walk, the server is asked about all "
                + "that were fetched, by ETag, Last-Modified or length; where it gives none of these, a picture "
                + "counts as unchanged. A new version becomes another job, and its document is stored beside the "
                + "old one; one that fails waits for facefetch retry. A server whose machines give one file "
                + "different ETags seems to change it each time: use never there."
        ),
        .init(
            "keep",
            "all or evictable",
            "all",
            "Whether documents may be removed when those of all such sources take more room than "
                + "documents.maximum-size. The ones served least recently go first; their jobs stay, with the "
                + "results, and known items aren't fetched again. It holds for jobs that are made from then on."
        ),
    ]
}
