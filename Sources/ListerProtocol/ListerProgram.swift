/// What a lister is started for: one recipe, as far as it concerns what pages have in them.
///
/// It is the first message to a lister, which compiles it once.
public struct ListerProgram: Codable, Hashable, Sendable {
    /// What the pages are, a word of recipes such as `json`.
    public var kind: String
    /// The items (jq); nil takes those of the kind.
    public var items: String?
    /// Whether an item is wanted (jq).
    public var select: String?
    /// The item's URL (jq); nil takes the kind's.
    public var url: String?
    /// The item's key (jq); nil takes the kind's.
    public var key: String?
    /// The document's name (jq).
    public var name: String?
    /// The document's SHA-256 (jq).
    public var sha256: String?
    /// The job's priority (jq).
    public var priority: String?
    /// What is kept with the job (jq, an object).
    public var meta: String?
    /// The next page (jq), or the word `link`; nil where there is one page.
    public var next: String?
    /// Whether there is another page (jq).
    public var more: String?
    /// How many items there are (jq).
    public var total: String?
    /// Whether the pages list slices: items have keys and variables, and no URL.
    public var isManifest = false
    /// Of a slice, what is another when it has changed (jq).
    public var changed: String?
    /// Of a slice, its variables (jq).
    public var variables: [String: String] = [:]
    /// What stands between fields; nil takes the kind's.
    public var delimiter: UInt8?
    /// Whether the first row names the columns.
    public var hasHeader = true
    /// The encoding of rows, a word of recipes.
    public var encoding = "utf-8"
    /// The most bytes of a page after decoding; rows are read as they come.
    public var maximumBytes = 32 << 20
    /// The most items of a page.
    public var maximumItems = 100_000

    /// A program that takes what the kind has.
    public init(kind: String) { self.kind = kind }
}
