/// The signature of a request to a bucket (AWS Signature Version 4).
///
/// It holds a secret: nothing of it is shown.
public struct RequestSignature: Hashable, Sendable, CustomStringConvertible {
    /// The region of the bucket's server, such as `eu-central-1`.
    public var region: String
    /// The public name of the key.
    public var keyID: String
    /// The key.
    public var key: String

    /// A signature by a key.
    public init(region: String, keyID: String, key: String) {
        self.region = region
        self.keyID = keyID
        self.key = key
    }

    /// The region alone.
    public var description: String { region }
}
