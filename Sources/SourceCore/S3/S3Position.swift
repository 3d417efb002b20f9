/// Where the listing of a bucket goes on.
public enum S3Position: Hashable, Sendable, Codable {
    /// By the token of ListObjectsV2.
    case token(String)
    /// After a key, where a server says that there is more and gives no token.
    case after(String)
    /// By the marker of the first version of the listing, which some servers still answer with.
    case marker(String)
}

/// A bucket and the part of its keys that is listed.
public struct S3Location: Hashable, Sendable {
    /// The bucket's name.
    public var bucket: String
    /// With what the keys begin; empty for all.
    public var prefix: String

    /// Reads `s3://BUCKET/PREFIX`, whose prefix is percent-encoded; nil where that makes no sense.
    public init?(_ url: String) {
        let reference = URLReference(url)
        guard reference.scheme == "s3", let bucket = reference.host, Self.isBucket(bucket),
            reference.port == nil,
            reference.userinfo == nil, reference.query == nil, reference.fragment == nil
        else { return nil }
        self.bucket = bucket
        prefix = PercentEncoding.decode(reference.path.dropFirst())
    }

    /// Letters, digits, dots, dashes and underscores, 3 to 255 of them, as far back as buckets go.
    static func isBucket(_ name: String) -> Bool {
        (3...255).contains(name.utf8.count) && !name.hasPrefix(".") && !name.hasSuffix(".")
            && name.utf8.allSatisfy { PercentEncoding.isUnreserved($0) && $0 != 0x7E }
    }

    /// An object of the bucket as a job's URL.
    public static func objectURL(bucket: String, key: String) -> String {
        "s3://\(bucket)/\(PercentEncoding.encode(key, keeping: "/"))"
    }
}
