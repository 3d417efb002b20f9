/// How a request to a bucket is signed (AWS Signature Version 4).
///
/// It holds a secret: nothing of it is shown.
public struct RequestSignature: Hashable, Sendable, CustomStringConvertible {
    /// What CURLOPT_AWS_SIGV4 takes, such as `aws:amz:eu-central-1:s3`.
    public var scheme: String
    /// The public name of the key.
    public var keyID: String
    /// The key.
    public var key: String

    /// A signature by a key.
    public init(scheme: String, keyID: String, key: String) {
        self.scheme = scheme
        self.keyID = keyID
        self.key = key
    }

    /// The scheme alone.
    public var description: String { scheme }
}
