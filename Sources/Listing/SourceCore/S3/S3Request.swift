import Vocabulary

/// A request to a bucket in the form that is signed: path and query strictly encoded with upper-case hex, and
/// parameters sorted by name, each with `=`.
///
/// Send it with CURLOPT_PATH_AS_IS, without which a key containing `/../` would refer to another object.
public struct S3Request: Hashable, Sendable {
    /// The URL.
    public var url: String
    /// The region to sign it for; nil for an anonymous request.
    public var region: String?
    /// The header fields to send; they are signed as well.
    ///
    /// None has an empty value.
    public var headers: [Header]

    /// A header field.
    public struct Header: Hashable, Sendable {
        /// The field's name.
        public var name: String
        /// The field's value.
        public var value: String
    }

    private init(
        url: URLReference,
        endpoint: S3Endpoint,
        signs: Bool,
        sessionToken: String?,
        payload: String = "UNSIGNED-PAYLOAD"
    ) {
        self.url = url.text
        region = signs ? endpoint.region : nil
        headers = []
        guard signs else { return }
        headers.append(Header(name: "x-amz-content-sha256", value: payload))
        if let sessionToken, !sessionToken.isEmpty {
            headers.append(Header(name: "x-amz-security-token", value: sessionToken))
        }
    }

    /// Returns a request for a page of a bucket's listing (ListObjectsV2).
    public static func list(
        _ location: S3Location,
        at position: S3Position?,
        endpoint: S3Endpoint,
        signs: Bool,
        sessionToken: String? = nil
    ) -> S3Request {
        var parameters = [("encoding-type", "url"), ("prefix", location.prefix)]
        switch position {
        case nil: parameters.append(("list-type", "2"))
        case .token(let token)?: parameters += [("list-type", "2"), ("continuation-token", token)]
        case .after(let key)?: parameters += [("list-type", "2"), ("start-after", key)]
        case .marker(let key)?: parameters.append(("marker", key))
        }
        var url = endpoint.bucketURL(location.bucket)
        url.query = canonicalQuery(parameters)
        return S3Request(url: url, endpoint: endpoint, signs: signs, sessionToken: sessionToken)
    }

    /// Returns a request for an object.
    public static func object(
        bucket: String,
        key: String,
        endpoint: S3Endpoint,
        signs: Bool,
        sessionToken: String? = nil
    ) -> S3Request {
        var url = endpoint.bucketURL(bucket)
        url.path += PercentEncoding.encode(key, keeping: "/")
        return S3Request(url: url, endpoint: endpoint, signs: signs, sessionToken: sessionToken)
    }

    /// Returns a request that changes an object: one that has its bytes, or a step of a multipart upload.
    ///
    /// - Parameters:
    ///   - parameters: Those of the query, such as `partNumber`.
    ///   - payload: The SHA-256 of the request's body in lower-case hex, by which the server checks it.
    public static func change(
        bucket: String,
        key: String,
        parameters: [(String, String)] = [],
        payload: String,
        endpoint: S3Endpoint,
        sessionToken: String? = nil
    ) -> S3Request {
        var url = endpoint.bucketURL(bucket)
        url.path += PercentEncoding.encode(key, keeping: "/")
        if !parameters.isEmpty { url.query = canonicalQuery(parameters) }
        return S3Request(
            url: url,
            endpoint: endpoint,
            signs: true,
            sessionToken: sessionToken,
            payload: payload
        )
    }

    /// Returns a canonical query for SigV4, sorted by encoded name, then by encoded value.
    static func canonicalQuery(_ parameters: [(String, String)]) -> String {
        parameters.map { (PercentEncoding.encode($0.0), PercentEncoding.encode($0.1)) }
            .sorted {
                Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8))
                    || $0.0 == $1.0 && Array($0.1.utf8).lexicographicallyPrecedes(Array($1.1.utf8))
            }
            .map { "\($0.0)=\($0.1)" }
            .joined(separator: "&")
    }
}
