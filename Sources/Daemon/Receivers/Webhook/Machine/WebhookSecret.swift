import Digests
import FoundationEssentials

/// A secret for signing requests as in Standard Webhooks: `whsec_` and its bytes in base64.
///
/// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
public struct WebhookSecret: Sendable {
    /// The possible lengths of a secret in bytes.
    static let lengths = 24...64

    private let key: [UInt8]

    /// Reads a secret; nil if it isn't one.
    public init?(_ text: String) {
        guard text.hasPrefix("whsec_"), let bytes = Data(base64Encoded: String(text.dropFirst(6))),
            Self.lengths.contains(bytes.count)
        else { return nil }
        key = Array(bytes)
    }

    /// Returns the signature of a request, with its version.
    func signature(id: String, timestamp: Int64, body: [UInt8]) -> String {
        let code = HMAC.code(of: Array("\(id).\(timestamp).".utf8) + body, key: key)
        return "v1," + Data(code).base64EncodedString()
    }
}
