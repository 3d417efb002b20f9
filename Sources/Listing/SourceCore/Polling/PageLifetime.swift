/// The header fields of a page that say how long it is fresh, kept for the 304s that come later.
public struct PageLifetime: Hashable, Sendable, Codable {
    /// The Cache-Control fields.
    public var cacheControl: [String]
    /// The Vary fields.
    public var vary: [String]
    /// The Expires time in seconds since 1970; 0 if the field can't be parsed.
    public var expires: Double?
    /// The Date in seconds since 1970.
    public var date: Double?

    /// The most bytes that are kept of a server's words: they are stored with each page.
    static let longest = 1024

    /// Creates the lifetime of a page; nil if its fields are too long, so that it doesn't count as fresh.
    public init?(_ head: PageHead) {
        let length = (head.cacheControl + head.vary).reduce(0) { $0 + $1.utf8.count }
        guard length <= Self.longest else { return nil }
        cacheControl = head.cacheControl
        vary = head.vary
        expires = head.expires
        date = head.date
    }
}
