/// The codings applied to a body before it was sent, according to Content-Encoding (RFC 9110 §8.4).
///
/// Servers also put words there that are not codings (a character set, a MIME transfer encoding, S3's
/// `aws-chunked`); the body is then as plain as without the field.
public struct ContentCodings: Hashable, Sendable {
    /// The registered codings in lower case, in the order in which they were applied.
    public let applied: [String]
    /// Whether the field has words that are not registered codings.
    let hasOthers: Bool

    /// Parses a field value; nil stands for a response without the field.
    public init(_ field: String?) {
        let words = field?.split(separator: ",").map {
            $0.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
        let named = words?.filter { !$0.isEmpty && $0 != "identity" } ?? []
        applied = named.filter(Self.registered.contains)
        hasOthers = applied.count < named.count
    }

    /// Whether the body is the file itself.
    var isIdentity: Bool { applied.isEmpty }

    /// Returns whether a client that can undo these codings gets the file itself.
    ///
    /// libcurl refuses a body if it doesn't know all of its codings, even words that are none.
    func areUndone(by undone: Set<String>) -> Bool {
        isIdentity || (!hasOthers && applied.allSatisfy(undone.contains))
    }

    /// The names in the IANA HTTP Content Coding Registry, except for `identity`.
    private static let registered: Set<String> = [
        "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "x-compress",
        "x-gzip", "zstd",
    ]
}
