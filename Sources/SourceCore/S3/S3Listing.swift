/// What a page of a bucket's listing says besides its keys.
public struct S3Listing: Hashable, Sendable {
    /// Whether there is more.
    public var isTruncated = false
    /// The token for the next page.
    public var nextToken: String?
    /// The next page's marker, in the first version of the listing.
    public var nextMarker: String?
    /// Whether the server has answered with the first version (`Marker`, and no `KeyCount`).
    public var isFirstVersion = false
    /// The last key of the page, decoded.
    public var lastKey: String?

    /// The last page.
    public init() {}

    /// Where the next page is; nil at the end.
    ///
    /// Only IsTruncated says that there is one: servers send tokens without it, and leave them out with it.
    public var next: S3Position? {
        guard isTruncated else { return nil }
        if isFirstVersion { return (nextMarker ?? lastKey).map(S3Position.marker) }
        if let nextToken, !nextToken.isEmpty { return .token(nextToken) }
        return lastKey.map(S3Position.after)
    }
}

/// What an error of a bucket's server means for the source.
public struct S3Error: Hashable, Sendable {
    /// The server's status.
    public var status: Int
    /// `<Code>` of the body.
    public var code: String?
    /// `<Region>` of the body, or the field x-amz-bucket-region.
    public var region: String?
    /// Seconds by which the server's clock is ahead of ours, by its field Date.
    public var clockDifference: Double?

    /// An error.
    public init(status: Int, code: String? = nil, region: String? = nil, clockDifference: Double? = nil) {
        self.status = status
        self.code = code
        self.region = region
        self.clockDifference = clockDifference
    }

    /// The region to ask again with, once: the one that the server names where it isn't the one asked with.
    public func correction(asked: String) -> String? {
        guard [301, 307, 400, 403].contains(status), let region, region != asked, Names.isSourceName(region)
        else {
            return nil
        }
        return region
    }

    /// The failure that it is.
    public func failure(region asked: String) -> SourceFailure {
        let name = code ?? "status \(status)"
        switch code {
        case "SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable":
            return SourceFailure(
                .unexpectedStatus,
                "the bucket's server is busy (\(name))",
                status: max(status, 503)
            )
        case "ExpiredToken", "TokenRefreshRequired":
            return SourceFailure(
                .unauthorized,
                "the session token has expired (\(name)); renew the source's secret",
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
            let hint = region.map { "the bucket is in the region \($0)" } ?? "the region is another"
            return SourceFailure(
                .unauthorized,
                "\(hint), not \(asked) (\(name)); set s3.region",
                status: status
            )
        case "InvalidAccessKeyId", "SignatureDoesNotMatch":
            return SourceFailure(
                .unauthorized,
                "the server doesn't take the key (\(name)); check the source's secret",
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
                "the server refuses this request (\(name)); the key needs s3:ListBucket and s3:GetObject, and where "
                    + "the bucket's owner has readers pay, that isn't supported",
                status: status
            )
        default:
            return SourceFailure(status: status, wasConditional: false).map { failure in
                SourceFailure(failure.code, "\(failure.message) (\(name))", status: status)
            } ?? SourceFailure(.unexpectedStatus, "the bucket's server answered with \(name)", status: status)
        }
    }
}
