/// A request to a bucket in the only form that libcurl 7.88 signs right: path and query strictly
/// encoded with upper-case hex, parameters sorted by name and each with `=`.
///
/// It is to be sent with CURLOPT_PATH_AS_IS: without, a key with `/../` in it would be another object.
public struct S3Request: Hashable, Sendable {
    /// The URL.
    public var url: String
    /// What CURLOPT_AWS_SIGV4 takes; nil for an anonymous request.
    public var signature: String?
    /// Fields to send, signed with the rest.
    ///
    /// libcurl leaves out the hash of the body before 8.0 (curl 495d0981), and a field with an empty value
    /// would break the signature, so there is none.
    public var headers: [Header]

    /// A header field.
    public struct Header: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Its value.
        public var value: String
    }

    private init(url: URLReference, endpoint: S3Endpoint, signs: Bool, sessionToken: String?) {
        self.url = url.text
        signature = signs ? "aws:amz:\(endpoint.region):s3" : nil
        headers = []
        guard signs else { return }
        headers.append(Header(name: "x-amz-content-sha256", value: "UNSIGNED-PAYLOAD"))
        if let sessionToken, !sessionToken.isEmpty {
            headers.append(Header(name: "x-amz-security-token", value: sessionToken))
        }
    }

    /// Asks for a page of a bucket's listing (ListObjectsV2).
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

    /// Asks for an object.
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

    /// A query as SigV4 has it: sorted by the encoded name, then by the encoded value.
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
