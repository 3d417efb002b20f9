/// A request that posts a body to a receiver.
public struct PostRequest: Sendable {
    /// The receiver's URL.
    public var url: String
    /// The header fields, beside those of libcurl.
    public var headers: [String]
    /// The body.
    public var body: [UInt8]
    /// The networks that are never connected to.
    public var deniedNetworks: [NetworkRange]
    /// The files with which TLS proves who is who.
    public var certificates: CertificateFiles
    /// The value of `User-Agent`.
    public var userAgent: String
    /// The field of the answer that is wanted; nil for none.
    public var wantedField: String?

    public init(
        url: String,
        headers: [String],
        body: [UInt8],
        deniedNetworks: [NetworkRange],
        certificates: CertificateFiles = CertificateFiles(),
        userAgent: String,
        wantedField: String? = nil
    ) {
        self.url = url
        self.headers = headers
        self.body = body
        self.deniedNetworks = deniedNetworks
        self.certificates = certificates
        self.userAgent = userAgent
        self.wantedField = wantedField
    }
}

/// The result of a request.
public enum PostAnswer: Hashable, Sendable {
    /// The receiver has answered with this status; with the seconds in `Retry-After`, and the wanted field, where it
    /// has those.
    case status(Int, retryAfter: Double?, field: String?)
    /// There is no answer, for this reason.
    case failed(String)
}
