/// The fields that matter in the head of an HTTP response, as received.
public struct ResponseHead: Hashable, Sendable {
    /// The status code (RFC 9110 §15).
    public var status: Int
    /// Content-Length, where it is a number.
    public var contentLength: Int64?
    /// Content-Range, verbatim.
    public var contentRange: String?
    /// Accept-Ranges, verbatim.
    public var acceptRanges: String?
    /// Content-Type, verbatim.
    public var contentType: String?
    /// Content-Encoding, verbatim; of several fields their list (RFC 9110 §5.3).
    public var contentEncoding: String?
    /// ETag, verbatim, weak ones included.
    public var entityTag: String?
    /// Last-Modified, verbatim.
    public var lastModified: String?
    /// Date, verbatim.
    public var date: String?
    /// Retry-After, verbatim.
    public var retryAfter: String?
    /// Content-Disposition, verbatim.
    public var contentDisposition: String?
    /// Location, verbatim.
    public var location: String?

    /// A head with nothing but a status.
    public init(status: Int) { self.status = status }

    /// Whether the server says that it serves no ranges (RFC 9110 §14.3).
    public var refusesRanges: Bool { acceptRanges?.lowercased() == "none" }

    /// The byte after the last that a part (206) brings; nil where the head doesn't say.
    public var partEnd: Int64? {
        contentRange.flatMap(ContentRange.init)?.bounds.map { $0.upperBound + 1 }
    }
}
