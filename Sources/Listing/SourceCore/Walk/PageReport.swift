/// The result of reading a page, after its items were looked up in the store.
public struct PageReport: Hashable, Sendable {
    /// The page's statement about the next page.
    public enum Next: Hashable, Sendable {
        /// Nothing, since the source has one page.
        case absent
        /// There is no next page.
        case end
        /// The next page's URL, without secrets.
        case url(String)
        /// The JSON from which the next body is made, and the URL to which it goes, unless that is the recipe's.
        case post(url: String?, next: String)
        /// A position in the bucket's listing.
        case bucket(S3Position)
        /// A position in the same list.
        case row(RowPosition)
    }

    /// The number of items listed, before `select` and including bad ones.
    public var listed: Int
    /// The number of items that could not be read.
    public var bad: Int
    /// The problem of the first of those; nil if all could be read, or it isn't known.
    public var complaint: String?
    /// The number of items that are wanted.
    public var wanted: Int
    /// The number of wanted items with keys new to the source.
    public var new: Int
    /// The number of listed items with keys new to this walk.
    public var newToWalk: Int
    /// The fingerprint of the keys of all listed items.
    public var fingerprint: PageFingerprint
    /// The next page.
    public var next: Next
    /// The value of `more`; nil if the recipe has none.
    public var more: Bool?
    /// The value of `total`; nil if unknown.
    public var total: Int?
    /// The sitemaps that the page lists instead of items.
    public var children: [Slice]

    /// True if all wanted items of the page were known before this walk listed it.
    var isKnown: Bool { wanted > 0 && new == 0 && newToWalk > 0 }

    public init(
        listed: Int,
        bad: Int = 0,
        complaint: String? = nil,
        wanted: Int? = nil,
        new: Int,
        newToWalk: Int,
        fingerprint: PageFingerprint,
        next: Next,
        more: Bool? = nil,
        total: Int? = nil,
        children: [Slice] = []
    ) {
        self.listed = listed
        self.bad = bad
        self.complaint = complaint
        self.wanted = wanted ?? listed - bad
        self.new = new
        self.newToWalk = newToWalk
        self.fingerprint = fingerprint
        self.next = next
        self.more = more
        self.total = total
        self.children = children
    }
}

/// A 128-bit hash (FNV-1a) of a page's keys, to recognize a repeated page.
///
/// A server that constructs a collision only ends its own walk.
public struct PageFingerprint: Hashable, Sendable, Codable {
    private let high: UInt64
    private let low: UInt64

    /// Creates the fingerprint of keys in order.
    public init(keys: some Sequence<String>) {
        let prime: UInt128 = 1 << 88 | 0x13B
        var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
        for key in keys {
            for byte in key.utf8 { hash = (hash ^ UInt128(byte)) &* prime }
            // This byte never occurs in UTF-8, so it separates keys.
            hash = (hash ^ 0xFF) &* prime
        }
        high = UInt64(truncatingIfNeeded: hash >> 64)
        low = UInt64(truncatingIfNeeded: hash)
    }

    /// The hash in hexadecimal digits.
    public var hexadecimal: String { String(high, radix: 16) + "-" + String(low, radix: 16) }
}
