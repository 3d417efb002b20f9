/// The part of a recipe that a lister needs to read pages.
///
/// It is the first message to a lister, which compiles it once.
public struct ListerProgram: Codable, Hashable, Sendable {
    /// The kind of the pages, as in recipes, such as `json`.
    public var kind: String
    /// The items (jq); nil for the kind's default.
    public var items: String?
    /// The condition for an item to be wanted (jq).
    public var select: String?
    /// The item's URL (jq); nil for the kind's default.
    public var url: String?
    /// The item's key (jq); nil for the kind's default.
    public var key: String?
    /// The document's name (jq).
    public var name: String?
    /// The folder for the document (jq).
    public var folder: String?
    /// The document's SHA-256 (jq).
    public var sha256: String?
    /// The job's priority (jq).
    public var priority: String?
    /// The data to keep with the job (jq, an object).
    public var meta: String?
    /// The next page (jq), or the word `link`; nil if there is one page only.
    public var next: String?
    /// The body of requests (jq); nil for requests without one.
    public var body: String?
    /// The condition for another page (jq).
    public var more: String?
    /// The total number of items (jq).
    public var total: String?
    /// True if the pages list slices, whose items have keys and variables but no URL.
    public var isManifest = false
    /// True if those slices are within another; nil means no.
    public var isNested: Bool?
    /// For slices, a value that changes whenever the slice does (jq).
    public var changed: String?
    /// For slices, their variables (jq).
    public var variables: [String: String] = [:]
    /// The delimiter of fields; nil for the kind's default.
    public var delimiter: UInt8?
    /// True if the first row names the columns.
    public var hasHeader = true
    /// The rule for quotes in rows, as in recipes; nil for the kind's default.
    public var quote: String?
    /// The encoding of the pages' text, as in recipes; nil to go by what they say.
    public var encoding: String?
    /// True if names in XML have their prefixes; nil means no.
    public var namespaces: Bool?
    /// The largest page in bytes after decoding; rows have no limit.
    public var maximumBytes = 32 << 20
    /// The most items in a page.
    public var maximumItems = 100_000

    /// The program of a lister that reads recipes instead of pages.
    public static let recipes = ListerProgram(kind: "recipe")

    public init(kind: String) { self.kind = kind }
}
