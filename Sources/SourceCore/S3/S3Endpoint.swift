/// A server of buckets, and how a bucket is named there.
public struct S3Endpoint: Hashable, Sendable {
    /// The region that requests are signed for.
    public var region: String
    private let base: URLReference?
    private let style: S3Settings.Style

    /// The server of a recipe.
    public init(_ settings: S3Settings) {
        region = settings.region
        base = settings.endpoint
        style = settings.style
    }

    /// Whether the bucket's name stands in the path.
    ///
    /// `auto` puts it in the host's name for AWS, unless the name has a dot, which no certificate of a
    /// wildcard covers (RFC 6125 §6.4.3), or what no host's name has.
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

    /// The bucket's URL without a query, ending in a slash.
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

    /// Whether a redirect may be signed anew: it stays on this server, or among those of AWS.
    public func mayFollow(to url: URLReference) -> Bool {
        guard let host = url.host, url.scheme == (base?.scheme ?? "https") else { return false }
        guard let own = base?.host else { return host.hasSuffix(".amazonaws.com") }
        if own.hasSuffix(".amazonaws.com") { return host.hasSuffix(".amazonaws.com") }
        return (host == own || host.hasSuffix("." + own)) && url.port == base?.port
    }
}
