/// The codings applied to a body before it was sent, according to Content-Encoding (RFC 9110 §8.4).
///
/// Servers also put words there that are not codings (a character set, a MIME transfer encoding, S3's
/// `aws-chunked`); the body is then as plain as without the field.
public struct ContentCodings: Hashable, Sendable {
    /// The registered codings in lower case, in the order in which they were applied.
    public let applied: [String]
    /// True if the field has words that are not registered codings.
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

    /// True if the body is the file itself.
    var isIdentity: Bool { applied.isEmpty }

    /// True if the file can be decoded from the body, and the completeness of the body can be checked.
    ///
    /// A word that is no coding, beside one that is, leaves open in which of the two ways the field is meant.
    var canBeUndone: Bool {
        isIdentity || (!hasOthers && applied.count <= Self.most && applied.allSatisfy(Self.undone.contains))
    }

    /// The codings that are undone, because their ends can be told from bodies that break off: gzip has a sum and
    /// a length there (RFC 1952 §2.3), zlib a sum (RFC 1950 §2.2), and bare deflate a last block
    /// (RFC 1951 §3.2.3).
    static let undone: Set<String> = ["gzip", "x-gzip", "deflate"]

    /// The most codings of one body that are undone; more than one is hardly ever seen.
    static let most = 2

    /// The names in the IANA HTTP Content Coding Registry, except for `identity`.
    private static let registered: Set<String> = [
        "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "x-compress",
        "x-gzip", "zstd",
    ]
}
