/// The fields of a response that say how long it is fresh and how to ask again.
public struct PageHead: Hashable, Sendable {
    /// Cache-Control, each field by itself.
    public var cacheControl: [String] = []
    /// ETag, as it stands there, W/ included.
    public var etag: String?
    /// Last-Modified, as it stands there.
    public var lastModified: String?
    /// Age, as it stands there.
    public var age: String?
    /// Expires, in seconds since 1970; 0 where there is one that can't be read.
    public var expires: Double?
    /// Date, in seconds since 1970.
    public var date: Double?
    /// Vary, each field by itself.
    public var vary: [String] = []

    /// A head that says nothing.
    public init() {}
}

/// How long a page is fresh, and by what it is asked for again (RFC 9111).
public enum Freshness {
    /// The longest that a server's word keeps a source from looking, in seconds: a day.
    ///
    /// A year, said by mistake, would be the end of it.
    public static let longest = 86_400.0

    /// Seconds from now for which the page needn't be asked for.
    ///
    /// Nothing is guessed from Last-Modified (RFC 9111 §4.2.2): a recipe's `every` is the guess.
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

    /// Whether another request might get another page; Accept-Encoding alone makes no other one.
    private static func varies(_ fields: [String]) -> Bool {
        fields.flatMap { $0.split(separator: ",") }.contains { name in
            let name = name.filter { !$0.isWhitespace }.lowercased()
            return !name.isEmpty && name != "accept-encoding"
        }
    }
}

/// By what a page is asked for again: the validators of what was read last, always the newest of both.
public struct PageValidators: Hashable, Sendable, Codable {
    /// ETag as it stood there.
    ///
    /// If-None-Match compares weakly (RFC 9110 §13.1.2), so weak ones are kept.
    public var etag: String?
    /// Last-Modified as it stood there.
    public var lastModified: String?
    /// The SHA-256 of the page's bytes: equal bytes are an unchanged page, whatever the server says.
    public var sha256: String?
    /// The URL that answered, its secrets unfilled: validators are of that and of no other.
    public var url: String

    /// The validators of a page that was read; nil where the server wants nothing of it kept.
    public init?(_ head: PageHead, sha256: String?, url: String) {
        guard !CacheControl(head.cacheControl).noStore else { return nil }
        etag = head.etag.flatMap { Self.isField($0) ? $0 : nil }
        lastModified = head.lastModified.flatMap { Self.isField($0) ? $0 : nil }
        self.sha256 = sha256
        self.url = url
    }

    /// The same after a 304, whose head has what is new (RFC 9111 §4.3.4).
    public func updated(by head: PageHead) -> PageValidators? {
        var all = head
        all.etag = head.etag ?? etag
        all.lastModified = head.lastModified ?? lastModified
        return PageValidators(all, sha256: sha256, url: url)
    }

    /// The fields to send with a request.
    ///
    /// Both are sent; a server that knows entity tags goes by them (RFC 9110 §13.1.3).
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
