import JobModel

/// The relevant fields in the head of an HTTP response, as received.
public struct ResponseHead: Hashable, Sendable {
    /// The status code (RFC 9110 §15).
    public var status: Int
    /// The Content-Length, if it is a number.
    public var contentLength: Int64?
    /// The Content-Range field verbatim.
    public var contentRange: String?
    /// The Accept-Ranges field verbatim.
    public var acceptRanges: String?
    /// The Content-Type field verbatim.
    public var contentType: String?
    /// The Content-Encoding field verbatim; several fields are joined to a list (RFC 9110 §5.3).
    public var contentEncoding: String?
    /// The Transfer-Encoding field verbatim; several fields are joined to a list.
    public var transferEncoding: String?
    /// The ETag field verbatim, even if weak.
    public var entityTag: String?
    /// The Last-Modified field verbatim.
    public var lastModified: String?
    /// The Date field verbatim.
    public var date: String?
    /// The Retry-After field verbatim.
    public var retryAfter: String?
    /// The X-RateLimit-Remaining field verbatim: how many more requests the server answers for now.
    public var rateLimitRemaining: String?
    /// The X-RateLimit-Reset field verbatim: when it answers more.
    public var rateLimitReset: String?
    /// The Server field verbatim.
    public var server: String?
    /// The CF-Mitigated or X-Amzn-Waf-Action field verbatim: what somebody in front of the server has done instead of
    /// asking it.
    public var mitigation: String?
    /// True if it has Sucuri's X-Sucuri-Block field, or a cookie of Akamai's Bot Manager.
    public var hasBotMark = false
    /// The Content-Disposition field verbatim.
    public var contentDisposition: String?
    /// The Location field verbatim.
    public var location: String?
    /// The X-Robots-Tag fields, each verbatim, as many as count.
    public private(set) var robots: [String] = []
    /// The most X-Robots-Tag fields that count.
    static let mostRobots = 16

    public init(status: Int) { self.status = status }

    /// Adds an X-Robots-Tag field, unless there are too many.
    public mutating func add(robots field: String) {
        if robots.count < Self.mostRobots { robots.append(field) }
    }

    /// Adds to the X-Robots-Tag field that goes on in another line.
    public mutating func goOn(robots rest: String) {
        if let last = robots.popLast() { robots.append(last + " " + rest) }
    }

    /// True if the answer is a task for a browser, or is kept from programs that aren't one.
    ///
    /// Cloudflare says so (cf-mitigated: challenge), and so does AWS WAF. A 403 by Sucuri or Akamai alone may also be that
    /// of a link which has expired.
    var asksForBrowser: Bool {
        if let mitigation { return ["challenge", "captcha"].contains(mitigation.lowercased()) }
        return status == 403 && hasBotMark
    }

    /// Takes note of a Set-Cookie field: by some cookies, Akamai's Bot Manager tells browsers from programs.
    public mutating func add(cookie field: String) {
        if ["_abck=", "ak_bmsc=", "bm_sz="].contains(where: field.hasPrefix) { hasBotMark = true }
    }

    /// True if the server says that it doesn't support ranges (RFC 9110 §14.3).
    public var refusesRanges: Bool { acceptRanges?.lowercased() == "none" }

    /// The codings to undo until the body is the file itself, in that order; empty if it is.
    public var codings: [String] {
        // Most answers have neither field, and many have this one.
        let onTheWay =
            transferEncoding == nil || transferEncoding == "chunked"
            ? [] : TransferCodings(transferEncoding).applied
        return contentEncoding == nil && onTheWay.isEmpty
            ? [] : (ContentCodings(contentEncoding).applied + onTheWay).reversed()
    }

    /// True if the body is the file itself, not compressed or otherwise encoded.
    public var isIdentity: Bool { codings.isEmpty }

    /// The fields with the body's codings, as people know them.
    public var codingFields: String {
        let fields = [
            contentEncoding.map { "Content-Encoding \($0.excerpt)" },
            isCodedOnTheWay ? transferEncoding.map { "Transfer-Encoding \($0.excerpt)" } : nil,
        ]
        return fields.compactMap(\.self).joined(separator: " and ")
    }

    /// True if the message has codings other than `chunked`, or unknown ones.
    private var isCodedOnTheWay: Bool { !TransferCodings(transferEncoding).applied.isEmpty }

    /// True if the file can be decoded from the body, and the completeness of the body can be checked.
    var canBeDecoded: Bool {
        ContentCodings(contentEncoding).canBeUndone && TransferCodings(transferEncoding).canBeUndone
            && codings.count <= ContentCodings.most
    }

    /// The offset after the last byte of a part (206); nil if the head doesn't say.
    public var partEnd: Int64? {
        contentRange.flatMap(ContentRange.init)?.bounds.map { $0.upperBound + 1 }
    }
}
