import Vocabulary

/// A server of buckets, and the form of its buckets' URLs.
public struct S3Endpoint: Hashable, Sendable {
    /// The region that requests are signed for.
    public var region: String
    private let base: URLReference?
    private let style: S3Settings.Style

    /// Creates the endpoint for a recipe's settings.
    public init(_ settings: S3Settings) {
        region = settings.region
        base = settings.endpoint
        style = settings.style
    }

    /// Returns whether the bucket's name goes into the path.
    ///
    /// `auto` puts it into the host name for AWS unless it isn't a valid host label or has a dot, which
    /// no wildcard certificate covers (RFC 6125 §6.4.3).
    func usesPath(for bucket: String) -> Bool {
        switch style {
        case .path: return true
        case .host: return false
        case .auto:
            let isHostLabel = bucket.utf8.allSatisfy { $0 != 0x2E && $0 != 0x5F }
            guard let host = base?.host else { return !isHostLabel }
            return !isHostLabel || !(host == "amazonaws.com" || host.hasSuffix(".amazonaws.com"))
        }
    }

    /// Returns the bucket's URL without a query, ending in a slash.
    func bucketURL(_ bucket: String) -> URLReference {
        var url = base ?? URLReference("https://s3.\(region).amazonaws.com")
        let folder = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
        if usesPath(for: bucket) {
            url.path = "\(folder)/\(PercentEncoding.encode(bucket))/"
        } else {
            url.host = "\(bucket).\(url.host ?? "")"
            url.path = "\(folder)/"
        }
        return url
    }

    /// Returns whether a redirect may be followed with a new signature, which it may if it stays on this
    /// server or within AWS.
    public func mayFollow(to url: URLReference) -> Bool {
        guard let host = url.host, url.scheme == (base?.scheme ?? "https") else { return false }
        guard let own = base?.host else { return host.hasSuffix(".amazonaws.com") }
        if own.hasSuffix(".amazonaws.com") { return host.hasSuffix(".amazonaws.com") }
        return (host == own || host.hasSuffix("." + own)) && url.port == base?.port
    }
}
