/// The codings that were applied to a body before it was sent, as Content-Encoding says (RFC 9110 §8.4).
///
/// Servers put words there that are no codings at all (a character set, a MIME transfer encoding,
/// S3's `aws-chunked`): a body is then as plain as without the field.
struct ContentCodings: Hashable, Sendable {
    /// The registered codings, in lower case and in the order in which they were applied.
    let applied: [String]
    /// Whether the field has words that are no registered codings.
    let hasOthers: Bool

    /// Reads a field value; nil is that of a response without the field.
    init(_ field: String?) {
        let words = field?.split(separator: ",").map {
            $0.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
        let named = words?.filter { !$0.isEmpty && $0 != "identity" } ?? []
        applied = named.filter(Self.registered.contains)
        hasOthers = applied.count < named.count
    }

    /// Whether the body is the file itself.
    var isIdentity: Bool { applied.isEmpty }

    /// Whether all that was done is undone by who can undo these codings.
    ///
    /// libcurl refuses a body whose codings it doesn't know all, those that are none included.
    func areUndone(by undone: Set<String>) -> Bool {
        isIdentity || (!hasOthers && applied.allSatisfy(undone.contains))
    }

    /// The names of the IANA HTTP Content Coding Registry, but for `identity`.
    private static let registered: Set<String> = [
        "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "x-compress",
        "x-gzip", "zstd",
    ]
}
