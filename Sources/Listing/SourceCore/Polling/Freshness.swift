/// The header fields of a response that concern its freshness and validation.
public struct PageHead: Hashable, Sendable {
    /// The Cache-Control fields.
    public var cacheControl: [String] = []
    /// The ETag field verbatim, including W/.
    public var etag: String?
    /// The Last-Modified field verbatim.
    public var lastModified: String?
    /// The Age field verbatim.
    public var age: String?
    /// The Expires time in seconds since 1970; 0 if the field can't be parsed.
    public var expires: Double?
    /// The Date in seconds since 1970.
    public var date: Double?
    /// The Vary fields.
    public var vary: [String] = []

    public init() {}
}

/// Calculates the freshness of a page (RFC 9111).
public enum Freshness {
    /// The longest time for which a server's freshness is believed, in seconds: a day.
    ///
    /// A year, sent by mistake, would otherwise put an end to the source.
    public static let longest = 86_400.0

    /// Returns the number of seconds for which the page needn't be requested again.
    ///
    /// There is no heuristic freshness from Last-Modified (RFC 9111 §4.2.2), since a recipe's `every`
    /// takes that place.
    public static func seconds(_ head: PageHead) -> Double {
        let control = CacheControl(head.cacheControl)
        guard !control.noStore, !control.noCache, !varies(head.vary) else { return 0 }
        let lifetime: Double
        if let maxAge = control.maxAge {
            lifetime = maxAge
        } else if let expires = head.expires, let date = head.date {
            lifetime = expires - date
        } else {
            return 0
        }
        let age = head.age.flatMap { Double($0) } ?? 0
        return min(max(0, lifetime - max(0, age)), longest)
    }

    /// Returns whether another request might get another page; Accept-Encoding by itself doesn't count.
    private static func varies(_ fields: [String]) -> Bool {
        fields.flatMap { $0.split(separator: ",") }.contains { name in
            let name = name.filter { !$0.isWhitespace }.lowercased()
            return !name.isEmpty && name != "accept-encoding"
        }
    }
}

/// The validators of the last page read, with which it is requested again.
public struct PageValidators: Hashable, Sendable, Codable {
    /// The ETag verbatim.
    ///
    /// Weak ones are kept, since If-None-Match compares weakly (RFC 9110 §13.1.2).
    public var etag: String?
    /// The Last-Modified date verbatim.
    public var lastModified: String?
    /// The SHA-256 of the page's bytes; a page with equal bytes is unchanged, whatever the server says.
    public var sha256: String?
    /// The URL that answered, without secrets, to which alone the validators apply.
    public var url: String
    /// The page's lifetime, for a 304 that doesn't state it again; nil if that isn't known.
    public var lifetime: PageLifetime?
    /// The seconds for which the page itself, a feed with a ttl, asks to be left alone; nil for none.
    public var unwanted: Double?

    /// Creates the validators of a page; nil if the server doesn't want it stored.
    public init?(_ head: PageHead, sha256: String?, url: String) {
        guard !CacheControl(head.cacheControl).noStore else { return nil }
        etag = head.etag.flatMap { Self.isField($0) ? $0 : nil }
        lastModified = head.lastModified.flatMap { Self.isField($0) ? $0 : nil }
        self.sha256 = sha256
        self.url = url
        lifetime = PageLifetime(head)
    }

    /// Returns the validators after a 304, whose header fields update them (RFC 9111 §4.3.4).
    public func updated(by head: PageHead) -> PageValidators? {
        var updated = PageValidators(self.head(updatedBy: head), sha256: sha256, url: url)
        updated?.unwanted = unwanted
        return updated
    }

    /// Returns the page's head after a 304: what that doesn't mention stays as it was (RFC 9111 §3.2).
    ///
    /// An Age is of the answer that it came with, so that of the page doesn't stay (RFC 9111 §4.2.3).
    public func head(updatedBy head: PageHead) -> PageHead {
        var all = head
        all.etag = head.etag ?? etag
        all.lastModified = head.lastModified ?? lastModified
        guard let lifetime else { return all }
        if head.cacheControl.isEmpty { all.cacheControl = lifetime.cacheControl }
        if head.vary.isEmpty { all.vary = lifetime.vary }
        all.expires = head.expires ?? lifetime.expires
        all.date = head.date ?? lifetime.date
        return all
    }

    /// The same without what a request is made conditional with: equal bytes are still known.
    public var unconditional: PageValidators {
        var validators = self
        (validators.etag, validators.lastModified) = (nil, nil)
        return validators
    }

    /// The header fields to send with a request.
    ///
    /// Both are sent; a server that supports entity tags uses them (RFC 9110 §13.1.3).
    public var fields: [(name: String, value: String)] {
        [("If-None-Match", etag), ("If-Modified-Since", lastModified)].compactMap { name, value in
            value.map { (name, $0) }
        }
    }

    private static func isField(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 1024
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}

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
