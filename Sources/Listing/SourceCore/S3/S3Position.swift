import Vocabulary

/// The position at which the listing of a bucket continues.
public enum S3Position: Hashable, Sendable, Codable {
    /// A token of ListObjectsV2.
    case token(String)
    /// The position after a key, for servers that say there is more but give no token.
    case after(String)
    /// A marker of version 1 of the listing, with which some servers still answer.
    case marker(String)
}

/// A bucket with a prefix of the keys to list.
public struct S3Location: Hashable, Sendable {
    /// The bucket's name.
    public var bucket: String
    /// The prefix of the keys; empty for all.
    public var prefix: String

    /// Parses `s3://BUCKET/PREFIX` with a percent-encoded prefix; nil if invalid.
    public init?(_ url: String) {
        let reference = URLReference(url)
        guard reference.scheme == "s3", let bucket = reference.host, Self.isBucket(bucket),
            reference.port == nil,
            reference.userinfo == nil, reference.query == nil, reference.fragment == nil
        else { return nil }
        self.bucket = bucket
        prefix = PercentEncoding.decode(reference.path.dropFirst())
    }

    /// Returns whether a text is a valid bucket name: 3 to 255 letters, digits, dots, dashes and
    /// underscores, which includes old buckets.
    static func isBucket(_ name: String) -> Bool {
        (3...255).contains(name.utf8.count) && !name.hasPrefix(".") && !name.hasSuffix(".")
            && name.utf8.allSatisfy { PercentEncoding.isUnreserved($0) && $0 != 0x7E }
    }

    /// Returns the URL of an object, as used for jobs.
    public static func objectURL(bucket: String, key: String) -> String {
        "s3://\(bucket)/\(PercentEncoding.encode(key, keeping: "/"))"
    }
}
