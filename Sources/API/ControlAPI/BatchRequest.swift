import Vocabulary

/// The request body for submitting a batch.
public struct BatchRequest: APIObject {
    /// The items, 1 to 100,000.
    public var items: [Item]
    /// The time for which each renewal of the batch's lease is good, in seconds; nil if it needs none.
    public var lease: Int?
    /// The batch's weight beside other batches and sources of one priority; nil for 1.
    public var weight: Int?
    /// True if items are left out whose URLs are known; nil for false.
    public var skipKnown: Bool?

    enum CodingKeys: String, CodingKey {
        case items, lease, weight
        case skipKnown = "skip_known"
    }

    public init(items: [Item], lease: Int? = nil, weight: Int? = nil, skipKnown: Bool? = nil) {
        self.items = items
        self.lease = lease
        self.weight = weight
        self.skipKnown = skipKnown
    }

    /// The range of weights.
    public static let weights: ClosedRange<Int64> = 1...1000
    static let weightSchema = JSONSchema.integer(from: weights.lowerBound, to: weights.upperBound)

    /// The range of leases, in seconds.
    public static let leases: ClosedRange<Int64> = 1...86_400
    static let leaseSchema = JSONSchema.integer(from: leases.lowerBound, to: leases.upperBound)

    /// The number of items a batch may have.
    public static let itemCount = 1...100_000

    public static let shape = Shape<BatchRequest>("BatchRequest", CodingKeys.self) {
        $0.member(
            .items,
            \.items,
            .array(of: Item.schema, from: itemCount.lowerBound, to: itemCount.upperBound)
        )
        $0.member(ifKnown: .lease, \.lease, leaseSchema.orNull) {
            "Seconds after which the batch's jobs pause unless it is renewed: for whoever shares its servers with "
                + "other machines."
        }
        $0.member(ifKnown: .weight, \.weight, weightSchema.orNull) {
            "The batch's share beside other batches and sources of one priority: with 2 it gets twice the bytes of "
                + "one with 1, which is the default."
        }
        $0.member(ifKnown: .skipKnown, \.skipKnown, Bool.schema.orNull) {
            "Whether items are left out that repeat the URL of one before them, or of a job that has neither failed "
                + "nor been cancelled."
        }
    }

    /// A file to fetch.
    public struct Item: APIObject {
        /// The URL of the file, http or https.
        public var url: String
        /// The document's name, if not the one derived from the URL.
        public var name: String?
        /// The folder for the document, a relative path in the documents directory.
        public var folder: String?
        /// The SHA-256 that the document must have, in hex.
        public var sha256: String?
        /// The priority, from −100 to 100; higher goes first.
        public var priority: Int?
        /// Header fields to send, as values by name, only to the URL's own scheme, host and port.
        public var headers: [String: String]?
        /// Cookies to send, as the text of a Cookie field, only to the URL's own scheme, host and port.
        public var cookies: String?
        /// The maximum speed of this file in bytes per second.
        public var rateLimit: Int64?
        /// Facts about the job that are to be known later.
        public var meta: MetaJSON?

        /// The names of the members.
        public enum CodingKeys: String, CodingKey, CaseIterable {
            case url, name, sha256, priority, headers, cookies
            case rateLimit = "rate_limit"
            case meta, folder
        }

        public init(
            url: String,
            name: String? = nil,
            folder: String? = nil,
            sha256: String? = nil,
            priority: Int? = nil,
            headers: [String: String]? = nil,
            cookies: String? = nil,
            rateLimit: Int64? = nil,
            meta: MetaJSON? = nil
        ) {
            self.url = url
            self.name = name
            self.folder = folder
            self.sha256 = sha256
            self.priority = priority
            self.headers = headers
            self.cookies = cookies
            self.rateLimit = rateLimit
            self.meta = meta
        }

        /// The range of priorities; higher goes first.
        public static let priorities = -100...100
        /// The range of rate limits, in bytes per second.
        public static let rates: ClosedRange<Int64> = 1...1 << 50
        /// The number of header fields that an item may have.
        public static let headerCount = 32
        /// The most members that `meta` may have, and any object in it.
        public static let metaKeyCount = 64

        public static let shape = Shape<Item>("BatchItem", CodingKeys.self) {
            $0.member(.url, \.url, .url) { "http or https." }
            $0.member(
                ifKnown: .name,
                \.name,
                .string(
                    from: 1,
                    to: 255,
                    pattern: #"^[^./\s\x00-\x1f\x7f]([^/\x00-\x1f\x7f]*[^/\s\x00-\x1f\x7f])?$"#
                ).orNull
            ) {
                "The document's name: one path component, at most 255 bytes of UTF-8, without characters that change "
                    + "the direction of text."
            }
            $0.member(
                ifKnown: .folder,
                \.folder,
                .string(
                    from: 1,
                    to: 1024,
                    pattern: "^\(folderPart)(/\(folderPart)){0,7}$"
                ).orNull
            ) {
                "The folder for the document, in the documents directory, such as holiday/2026: at most 8 levels, "
                    + "each a name as above. It takes precedence over documents.layout."
            }
            $0.member(ifKnown: .sha256, \.sha256, .string(pattern: "^[0-9A-Fa-f]{64}$").orNull)
            $0.member(ifKnown: .priority, \.priority, .priority.orNull) { "Higher goes first." }
            $0.member(ifKnown: .headers, \.headers, headers)
            $0.member(
                ifKnown: .cookies,
                \.cookies,
                .string(
                    from: 2,
                    to: 4000,
                    pattern: "^[!-:<>-~]+=[!-:<-~]*(; [!-:<>-~]+=[!-:<-~]*)*$"
                ).orNull
            ) {
                "Cookies to send, as NAME=VALUE with semicolons between several. They go where the header fields go, "
                    + "are kept as long, and never shown."
            }
            $0.member(
                ifKnown: .rateLimit,
                \.rateLimit,
                .integer(from: rates.lowerBound, to: rates.upperBound).orNull
            ) {
                "The maximum speed of this file in bytes per second."
            }
            $0.member(
                ifKnown: .meta,
                \.meta,
                MetaJSON.schema.orNull.rule("maxProperties", metaKeyCount.description)
            ) {
                "An object that is kept with the job and shown with it: at most 4096 bytes as JSON without white "
                    + "space, and 8 levels deep."
            }
        }

        /// The pattern of a folder's name.
        private static let folderPart = #"[^./\s\x00-\x1f\x7f]([^/\x00-\x1f\x7f]*[^/\s\x00-\x1f\x7f])?"#

        private static var headers: JSONSchema {
            .members(nil, .string(to: 4000, pattern: "^[ -~]*$")).orNull
                .rule("maxProperties", headerCount.description)
                .rule(
                    "propertyNames",
                    #"{"pattern":"^[Xx]-[A-Za-z0-9-]{1,64}$|^(Authorization|Cookie|Referer|Accept|User-Agent)$"}"#
                )
                .described(
                    "Header fields sent with the request, to the URL's own scheme, host and port only. Any name is "
                        + "allowed except those that facefetch sets itself (Host, Range, If-Range and the like) and "
                        + "those of the connection. They are stored until the document is, and never shown."
                )
        }
    }
}
