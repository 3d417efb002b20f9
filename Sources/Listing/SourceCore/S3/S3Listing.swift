/// The contents of a page of a bucket's listing, apart from its keys.
public struct S3Listing: Hashable, Sendable {
    /// True if more pages follow.
    public var isTruncated = false
    /// The token for the next page.
    public var nextToken: String?
    /// The next page's marker, in version 1 of the listing.
    public var nextMarker: String?
    /// True if the server has answered with version 1 (`Marker`, and no `KeyCount`).
    public var isFirstVersion = false
    /// The last key of the page, decoded.
    public var lastKey: String?

    /// Creates the description of a last page.
    public init() {}

    /// The position of the next page; nil at the end.
    ///
    /// Only IsTruncated is decisive, because some servers send tokens without it, and others leave them
    /// out with it.
    public var next: S3Position? {
        guard isTruncated else { return nil }
        if isFirstVersion { return (nextMarker ?? lastKey).map(S3Position.marker) }
        if let nextToken, !nextToken.isEmpty { return .token(nextToken) }
        return lastKey.map(S3Position.after)
    }
}

/// An error of a bucket's server.
public struct S3Error: Hashable, Sendable {
    /// The server's status.
    public var status: Int
    /// The body's `<Code>`.
    public var code: String?
    /// The body's `<Region>`, or the field x-amz-bucket-region.
    public var region: String?
    /// The seconds by which the server's clock is ahead of ours, judged by its Date field.
    public var clockDifference: Double?

    public init(status: Int, code: String? = nil, region: String? = nil, clockDifference: Double? = nil) {
        self.status = status
        self.code = code
        self.region = region
        self.clockDifference = clockDifference
    }

    /// Returns the region with which to repeat the request once: the one that the server names, if it
    /// isn't the one used.
    public func correction(asked: String) -> String? {
        guard [301, 307, 400, 403].contains(status), let region, region != asked, Names.isWord(region)
        else {
            return nil
        }
        return region
    }

    /// Returns what the error means for the source.
    public func failure(region asked: String) -> SourceFailure {
        let name = code ?? "status \(status)"
        switch code {
        case "SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable":
            return SourceFailure(
                .unexpectedStatus,
                "the bucket's server is busy (\(name))",
                status: max(status, 503)
            )
        case "ExpiredToken", "TokenRefreshRequired", "InvalidToken":
            return SourceFailure(
                .unauthorized,
                "the session token has expired or is wrong (\(name)); renew the source's secret",
                status: status
            )
        case "RequestTimeTooSkewed":
            let ahead = clockDifference.map { " by \(Int(abs($0).rounded())) s" } ?? ""
            return SourceFailure(
                .unauthorized,
                "this machine's clock differs from the server's\(ahead) (\(name)); set the clock",
                status: status
            )
        case "AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException":
            let hint = region.map { "the bucket is in the region \($0)" } ?? "the bucket is in another region"
            return SourceFailure(
                .unauthorized,
                "\(hint), not \(asked) (\(name)); set s3.region",
                status: status
            )
        case "InvalidAccessKeyId", "SignatureDoesNotMatch":
            return SourceFailure(
                .unauthorized,
                "the server doesn't accept the key (\(name)); check the source's secret",
                status: status
            )
        case "NoSuchBucket":
            return SourceFailure(
                .unexpectedStatus,
                "there is no such bucket (\(name)); check the source's url",
                status: 404
            )
        case "InvalidObjectState":
            return SourceFailure(
                .unexpectedStatus,
                "the object is in an archive (\(name)); restore it first",
                status: status
            )
        case "AccessDenied":
            return SourceFailure(
                .unauthorized,
                "the server refuses this request (\(name)); the key needs s3:ListBucket and s3:GetObject; buckets "
                    + "whose readers pay are not supported",
                status: status
            )
        default:
            return SourceFailure(status: status, wasConditional: false).map { failure in
                SourceFailure(failure.code, "\(failure.message) (\(name))", status: status)
            } ?? SourceFailure(.unexpectedStatus, "the bucket's server answered with \(name)", status: status)
        }
    }
}

extension S3Listing {
    /// What a lister has read of a bucket's page.
    public init(_ bucket: ListedPage.Bucket) {
        self.init()
        isTruncated = bucket.isTruncated
        nextToken = bucket.nextToken
        nextMarker = bucket.nextMarker
        isFirstVersion = bucket.isFirstVersion
        lastKey = bucket.lastKey
    }
}
