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
    /// The ETag field verbatim, even if weak.
    public var entityTag: String?
    /// The Last-Modified field verbatim.
    public var lastModified: String?
    /// The Date field verbatim.
    public var date: String?
    /// The Retry-After field verbatim.
    public var retryAfter: String?
    /// The Content-Disposition field verbatim.
    public var contentDisposition: String?
    /// The Location field verbatim.
    public var location: String?

    /// Creates a head with only a status.
    public init(status: Int) { self.status = status }

    /// Whether the server says that it doesn't support ranges (RFC 9110 §14.3).
    public var refusesRanges: Bool { acceptRanges?.lowercased() == "none" }

    /// The offset after the last byte of a part (206); nil if the head doesn't say.
    public var partEnd: Int64? {
        contentRange.flatMap(ContentRange.init)?.bounds.map { $0.upperBound + 1 }
    }
}
